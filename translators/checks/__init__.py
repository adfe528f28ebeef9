"""What ``bpconvert check`` looks at beyond reading: values against the schemas of the engines, references, circles."""
