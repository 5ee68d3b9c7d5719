import { expect, test } from "vitest";
import shortNames from "../../../panel/build/short-names.ts";

const made = (source: string, resourcePath = "/aside/panel/a.ts") => shortNames.call({ resourcePath }, source);
const OWN = "$own$_aside_panel_a_ts$";

test("private members become properties, and nothing else that has a # in it does", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
  const source = 'class A { #one = "#one"; #two() { return this.#one + `#${this.#one}`; } /* #three */ }';
  expect(made(source)).toBe(
    `class A { ${OWN}one = "#one"; ${OWN}two() { return this.${OWN}one + \`#\${this.${OWN}one}\`; } /* #three */ }`,
  );
  expect(made('const colour = "#fff"; const r = /#[0-9]/;')).toBe('const colour = "#fff"; const r = /#[0-9]/;');
});

test("two files never share the name of a private member, so that a class may extend one that has the same", () => {
  expect(made("class B { #one = 1; }", "/aside/panel/b.ts")).not.toContain(OWN);
});

test("words are named alike where they stand and where they are used; what is looked up in them keeps its name", () => {
  expect(made('export const english = { title: "Aside", rules: { pace: "Pace" } } as const;')).toBe(
    'export const english = { $own$title: "Aside", $own$rules: { pace: "Pace" } } as const;',
  );
  const imported = 'import { words } from "../words/words.ts"; ';
  expect(made(`${imported}said(words.title, words.rules[rule], words.rules.pace, own.words.title);`)).toBe(
    `${imported}said(words.$own$title, words.$own$rules[rule], words.$own$rules.pace, own.words.title);`,
  );
  // Elsewhere words are words.
  expect(made("words.length")).toBe("words.length");
});
