import { expect, test } from "vitest";
import { colourName } from "../../../../src/engine/analyse/picture/colour-names.ts";

/** Name of a colour given as it stands in a web page, by way of ITU-R BT.709. */
function nameOf(hex: string): string | null {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return colourName(255 * luma, 128 + (224 * (blue - luma)) / 1.8556, 128 + (224 * (red - luma)) / 1.5748);
}

test.each([
  ["black", ["000000", "0a0a12", "1a1512"]],
  ["white", ["ffffff", "f4f4ee", "e6e6fa"]],
  ["grey", ["808080", "c0c0c0", "596066"]],
  ["red", ["ff0000", "8b0000", "dc143c"]],
  ["orange", ["ffa500", "ff8c00", "f08030"]],
  ["yellow", ["ffff00", "ffd700", "ffe640"]],
  ["green", ["00ff00", "006400", "556b2f"]],
  ["blue", ["0000ff", "000080", "94cbf3"]],
  ["purple", ["800080", "6a0dad", "9966cc"]],
  ["pink", ["ffc0cb", "ff69b4", "ff00ff"]],
  ["brown", ["8b4513", "603c0a", "c58d56"]],
])("calls a colour %s that people call so", (name, colours) => {
  expect(colours.map(nameOf)).toEqual(colours.map(() => name));
});

test("calls grass green, in the sun and in the shade", () => {
  // Taken from the meadow of Big Buck Bunny.
  for (const grass of ["85913d", "c8df52", "b9c64b", "698e5d", "87882f", "56622d"]) expect(nameOf(grass)).toBe("green");
});

test("has no name for beige, khaki and the colours of skin", () => {
  for (const colour of ["d2b48c", "b2ad78", "e0ac93", "f5e1c0"]) expect(nameOf(colour)).toBeNull();
});
