"""What of a graph the head camera sees in key frames (ENACT specification, sections 2.1 and 4.2).

Pixels are counted by rays through the baseline camera, whatever pictures are drawn later: questions and answers are the
same in all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.episodes.states import States
from jaxphys_benchmarks.enact.graph import Graph
from jaxphys_benchmarks.enact.pictures.stages import Seen, stage_of
from jaxphys_benchmarks.enact.world.house import House
from jaxphys_benchmarks.visible_bodies import seen_bodies
from jaxphys_kernels.household.layout import Layout


def with_visibility(
    graphs: Mapping[str, Graph], names: Sequence[str], house: House, layout: Layout, states: States, config: EnactConfig
) -> dict[str, Graph]:
    """The same graphs with the pixels and the bounding box of each node that is seen.

    Args:
        graphs: by frame id, in the order of `states`. names: of all nodes.
        house, layout, states: the frames. config: sensor and size of pictures.
    """
    if not len(states):
        return {}
    size = config.image_size_px
    stage = stage_of(house, layout, states, Seen(size_px=size, head=config.camera, shadows=False))
    found = seen_bodies(stage, names)
    place = {name: k for k, name in enumerate(names)}
    shown = {}
    for row, (frame, graph) in zip(found, graphs.items(), strict=True):
        nodes = {}
        for name, node in graph.nodes.items():
            pixels, *box = (int(value) for value in row[place[name]])
            rows = ((config.sensor, (pixels, *box, size, size)),) if pixels else ()
            nodes[name] = replace(node, visibility=rows)
        shown[frame] = Graph(nodes, graph.edges)
    return shown
