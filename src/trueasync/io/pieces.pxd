cdef list first_of(list views)
cdef list rest_of(list views, long long count)
