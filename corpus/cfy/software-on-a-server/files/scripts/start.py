import os
print(os.environ.get("port"))
