# Compiled to reach the C library; nothing here is for other compiled modules.
