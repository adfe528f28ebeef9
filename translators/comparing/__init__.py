"""The form in which documents of all languages are compared, and what a language adds to it.

model         a document under given values, what it deploys, and what a language adds
scripts       a script at one moment (configs: the texts of software configurations)
filling       a document that is filled with the values of its engine, and what stands for those that it refuses
"""
