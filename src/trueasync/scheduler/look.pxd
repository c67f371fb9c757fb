# Compiled to see the fields of others; nothing here is for other compiled modules.
