import { expect, test } from "vitest";
import { sumIn } from "../../../src/engine/store/fetch-file.ts";

const [ONE, TWO, THREE] = ["a", "b", "c"].map((letter) => letter.repeat(64)) as [string, string, string];
const source = { url: "https://hub.example/release/voice.tar.bz2" };

test.each([
  ["behind others", `${ONE}  other.tar.bz2\n${THREE}  voice.tar.bz2.sig\n${TWO}  voice.tar.bz2\n`],
  ["after its name", `other.tar.bz2 ${ONE}\r\nvoice.tar.bz2\t${TWO.toUpperCase()}\r\n`],
  ["as a binary file's", `# SHA-256\n${ONE} *other.tar.bz2\n${TWO} *voice.tar.bz2`],
])("the sum of a file is found in a list %s", (_how, list) => {
  expect(sumIn(list, source, "the list")).toBe(TWO);
});

test.each(["", "voice.tar.bz2\n", `${TWO}\nvoice.tar.bz2\n`, `${TWO}0  voice.tar.bz2\n`, `${ONE}  other.tar.bz2\n`])(
  "a list that does not name it has none: %j",
  (list) => {
    expect(() => sumIn(list, source, "the list")).toThrow("the list names no SHA-256 sum of voice.tar.bz2");
  },
);
