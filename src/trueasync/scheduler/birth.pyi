# Everything in here is for other compiled modules.
