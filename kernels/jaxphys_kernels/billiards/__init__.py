"""Billiards of one scene: discs that decelerate uniformly and collide elastically.

`model` holds the types, `motion` and `contact` the closed forms, `impact` the joint impact rule,
`event` the readable event loop, `lanes` its batched form, `compiled` its scalar CPU twin, `replay` the
differentiable pass over a known event list and `stepped` the fixed-step comparison.
"""
