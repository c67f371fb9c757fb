from trueasync.io.descriptor_stream cimport DescriptorStream

cdef class PipeStream(DescriptorStream):
    cdef str name
