import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeForm, type FormPart, randomBoundary } from "../../src/client/multipart.ts";
import { listField, numberField, objectOf, textField } from "../../src/client/reply.ts";
import { numbersBetween } from "../numbers-between.ts";

const name = fc.string({ unit: fc.constantFrom(..."abc_"), minLength: 1, maxLength: 6 });
const filename = fc.string({ unit: fc.constantFrom(...'aä .-()"\r\n'), minLength: 1, maxLength: 8 });
const part: fc.Arbitrary<FormPart> = fc.oneof(
  fc.record({ name, text: fc.string({ unit: "grapheme", maxLength: 12 }) }),
  fc.record({
    name,
    file: fc.record({
      bytes: fc.uint8Array({ maxLength: 40 }),
      filename,
      contentType: fc.constantFrom("video/mp4", "audio/wav"),
    }),
  }),
);

describe("a form", () => {
  test("is read by the platform's own reader as it was given, bytes and names alike", async () => {
    const read = async (parts: readonly FormPart[]) => {
      const { contentType, body } = encodeForm(
        parts,
        randomBoundary(() => 0.3),
      );
      const form = await new Response(body, { headers: { "Content-Type": contentType } }).formData();
      return Promise.all(
        [...form].map(async ([key, value]) =>
          typeof value === "string"
            ? [key, value]
            : [key, value.name, value.type, [...new Uint8Array(await value.arrayBuffer())]],
        ),
      );
    };
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async (parts) => {
        expect(await read(parts)).toEqual(
          parts.map((one) => {
            if ("text" in one) return [one.name, one.text];
            const { filename: file, contentType, bytes } = one.file;
            return [one.name, file, contentType, [...bytes]];
          }),
        );
      }),
    );
  });

  test("no content type begins a line of its own", () => {
    const file = { bytes: new Uint8Array(), filename: "a", contentType: "video/mp4\r\nX-Evil: 1\u00e9" };
    const { body } = encodeForm([{ name: "f", file }], "b");
    expect(new TextDecoder().decode(body)).toContain("\r\nContent-Type: video/mp4X-Evil: 1\r\n\r\n");
  });

  test("a boundary is thirty-eight letters at least, and another with other chances", () => {
    fc.assert(
      fc.property(numbersBetween(0, 0.999), (chance) => {
        expect(randomBoundary(() => chance)).toMatch(/^aside-[0-9a-z]{32}$/);
      }),
    );
    expect(randomBoundary(() => 0.1)).not.toBe(randomBoundary(() => 0.2));
  });
});

describe("a field of a reply", () => {
  const OTHERS = [null, undefined, true, {}, [], "", "  ", Number.NaN, Number.POSITIVE_INFINITY, 1.5];

  test("text is the first that says something; a whole number is an id", () => {
    for (const other of OTHERS) {
      expect(textField({ a: other, b: " x " }, "a", "b")).toBe(" x ");
      expect(textField({ a: other }, "a")).toBeUndefined();
    }
    expect([textField({ a: 7, b: "x" }, "a", "b"), textField({ b: "x", a: "y" }, "a", "b")]).toEqual(["7", "y"]);
    expect(textField({}, "a")).toBeUndefined();
  });

  test("a number is finite, and may be written as text", () => {
    for (const other of OTHERS) expect(numberField({ a: other }, "a")).toBe(other === 1.5 ? 1.5 : undefined);
    expect(["2.5", " 3 ", "0", "x", "1e999"].map((a) => numberField({ a }, "a"))).toEqual([
      2.5,
      3,
      0,
      undefined,
      undefined,
    ]);
  });

  test("a list is a list, an object an object, and nothing else is either", () => {
    const list = [1];
    expect([listField({ a: list }, "a"), objectOf({ a: 1 })]).toEqual([list, { a: 1 }]);
    for (const other of [null, "x", 1, { length: 1 }]) expect(listField({ a: other }, "a")).toEqual([]);
    for (const other of [null, "x", 1, [], undefined]) expect(objectOf(other)).toBeNull();
  });
});
