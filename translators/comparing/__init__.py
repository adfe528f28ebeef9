"""The form in which documents of all languages are compared, and what a language adds to it.

model         a document under given values, and what it deploys
refused       what stands for values that an engine refuses
configs       the texts of software configurations
references    what nodes refer to, and how they are written
scripts       a script at one moment
language      what a language adds
"""
