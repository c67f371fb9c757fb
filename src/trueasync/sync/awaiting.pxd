# Compiled for speed; nothing here is for other compiled modules.
