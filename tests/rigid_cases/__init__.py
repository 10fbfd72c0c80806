"""What comes out of the public cases on rigid bodies, by area; each measure has the signature of `common.Measure`."""
