# For those who type make; all of it is in dev.py. Arguments: make test ARGS="-k timer"

demo test check bench conformance stress wheel build clean:
	@python3 dev.py $@ $(ARGS)

.PHONY: demo test check bench conformance stress wheel build clean
