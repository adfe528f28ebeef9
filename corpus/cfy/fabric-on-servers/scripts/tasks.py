def start(connection):
    connection.run("true")
