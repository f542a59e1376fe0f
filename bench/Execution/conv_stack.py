"""Prints a stack of 3x3 convolutions with padding, cut over rows of the image:

    conv_stack.py RANKS [SIZE [CHANNELS [LAYERS]]]    RANKS 0: the whole program

Each layer needs a halo of one row from each neighbour. All layers have the same
weights, scaled so that values stay near one.
"""
import sys

ranks, size, channels, layers = (
    [int(a) for a in sys.argv[1:]] + [256, 64, 16][len(sys.argv) - 2:])
WEIGHTS = f"tensor<3x3x{channels}x{channels}xf32>"


def image(height, width):
    return f"tensor<1x{height}x{width}x{channels}xf32>"


def shard(first):
    return (f"{{tensoraccess.shard = {{offsets = array<i64: 0, {first}, 0, 0>,"
            f" shape = array<i64: 1, {size}, {size}, {channels}>}}}}")


def rows(rank):
    return size * rank // ranks, size * (rank + 1) // ranks


def body(height, rank):
    """The layers on `height` rows; of a rank, with exchanges."""
    own, room = image(height, size), image(height + 2, size + 2)
    print(f"  %zero = arith.constant 0.0 : f32")
    print(f"  %scale = arith.constant {1 / (3 * channels) ** 0.5} : f32")
    x = "%x"
    for layer in range(layers):
        print(f"""\
  %p{layer} = tensor.pad {x} low[0, 1, 1, 0] high[0, 1, 1, 0] {{
  ^bb0(%a{layer}: index, %b{layer}: index, %c{layer}: index, %d{layer}: index):
    tensor.yield %zero : f32
  }} : {own} to {room}""")
        padded = f"%p{layer}"
        if rank is not None:
            row = f"[1, 1, {size}, {channels}]"
            sends, receives = [], []
            if rank > 0:
                sends.append(f"{rank - 1}: [0, 0, 0, 0] x {row}")
                receives.append(f"{rank - 1}: [0, 0, 1, 0] x {row}")
            if rank < ranks - 1:
                sends.append(f"{rank + 1}: [0, {height - 1}, 0, 0] x {row}")
                receives.append(
                    f"{rank + 1}: [0, {height + 1}, 1, 0] x {row}")
            print(f"""\
  %e{layer} = tensoraccess.exchange {x} into %p{layer} tag {layer}
    send [{', '.join(sends)}] receive [{', '.join(receives)}]
    : {own}, {room} -> {room}""")
            padded = f"%e{layer}"
        print(f"""\
  %i{layer} = tensor.empty() : {own}
  %f{layer} = linalg.fill ins(%zero : f32) outs(%i{layer} : {own}) -> {own}
  %v{layer} = linalg.conv_2d_nhwc_hwcf ins({padded}, %w : {room}, {WEIGHTS})
    outs(%f{layer} : {own}) -> {own}
  %s{layer} = tensor.splat %scale : {own}
  %m{layer} = arith.mulf %v{layer}, %s{layer} : {own}""")
        x = f"%m{layer}"
    print(f"  return {x} : {own}\n}}")


if ranks == 0:
    whole = image(size, size)
    print(f"func.func @main(%x: {whole}, %w: {WEIGHTS}) -> {whole} {{")
    body(size, None)
else:
    print(f"module attributes {{tensoraccess.ranks = {ranks} : i64}} {{")
    for rank in range(ranks):
        first, last = rows(rank)
        own = image(last - first, size)
        print(f"func.func @main_{rank}(%x: {own} {shard(first)}, "
              f"%w: {WEIGHTS}) -> ({own} {shard(first)}) attributes "
              f'{{tensoraccess.program = "main", '
              f"tensoraccess.rank = {rank} : i64}} {{")
        body(last - first, rank)
    print("}")
