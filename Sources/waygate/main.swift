print("waygate")
