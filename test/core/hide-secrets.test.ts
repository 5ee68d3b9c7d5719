import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileNameOf, isStillName } from "../../src/core/local-file.ts";
import { isLocalAddress } from "../../src/core/ports.ts";
import { trackLanguage } from "../../src/core/settings.ts";
import { escapeHtml, HIDDEN, hideSecrets, literalPattern } from "../../src/core/text.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"];
const secret = fc
  .string({ unit: fc.constantFrom(...LETTERS), minLength: 12, maxLength: 40 })
  .map((text) => `s${text}1`);
const words = fc.constantFrom("", "Could not read ", "see (", "\n", '"');

describe("no secret goes through, and nothing else is lost", () => {
  test("keys by their form, wherever they stand", () => {
    fc.assert(
      fc.property(words, fc.constantFrom("vsk_", "aside_"), secret, (before, form, key) => {
        expect(hideSecrets(`${before}${form}${key}" here`)).toBe(`${before}${HIDDEN}" here`);
      }),
    );
    expect(hideSecrets("aside_cues and vsk_1")).toBe("aside_cues and vsk_1");
    expect(hideSecrets("vsk_123456 aside_12345678")).toBe(`${HIDDEN} ${HIDDEN}`);
  });

  test("credentials and queries of every address", () => {
    const scheme = fc.constantFrom("https", "postgres", "s3+x.y-z", "A1");
    fc.assert(
      fc.property(words, scheme, secret, secret, (before, name, password, query) => {
        const hidden = hideSecrets(
          `${before}${name}://me:${password}@host/a/b?x=${query} and ${name}://host/c?y=${query}#top`,
        );
        expect(hidden).toBe(`${before}${name}://host/a/b?${HIDDEN} and ${name}://host/c?${HIDDEN}`);
      }),
    );
    expect(hideSecrets("Is https://host/a#top there?")).toBe("Is https://host/a#top there?");
    expect(hideSecrets("<https://host/a?b=c>, 'https://host?b'")).toBe(
      `<https://host/a?${HIDDEN}>, 'https://host?${HIDDEN}'`,
    );
  });

  test("a password with signs that an address should not have", () => {
    for (const sign of ["@", ":", "?", "#", "@@"]) {
      expect(hideSecrets(`postgres://me:pass${sign}word@db:5432/x`)).toBe("postgres://db:5432/x");
    }
  });

  test("hidden once, a text stays as it is", () => {
    fc.assert(
      fc.property(fc.string(), secret, (text, key) => {
        const once = hideSecrets(`${text} https://u:${key}@h/?${key} vsk_${key}`);
        expect(hideSecrets(once)).toBe(once);
        expect(once).not.toContain(key);
      }),
    );
  });
});

test("text in a page is text: no sign of it is markup, and it reads back as it was", () => {
  const back: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."&<>\"'ab;#") }), (text) => {
      const escaped = escapeHtml(text);
      expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(escaped.replace(/&(?:amp|lt|gt|quot|#39);/g, (name) => back[name] ?? "")).toBe(text);
    }),
  );
});

test("a pattern made of a text matches that text and no other", () => {
  const signs = fc.string({ unit: fc.constantFrom(..."$.*+?^{}()|[]\\/ab1-"), maxLength: 8 });
  fc.assert(
    fc.property(signs, signs, (text, other) => {
      const pattern = new RegExp(`^${literalPattern(text)}$`, "u");
      expect(pattern.test(text)).toBe(true);
      expect(pattern.test(other)).toBe(text === other);
    }),
  );
});

test("the name of a file is what stands behind its last slash, of either kind", () => {
  fc.assert(
    fc.property(fc.array(secret), fc.constantFrom("/", "\\"), secret, (folders, slash, name) => {
      expect(fileNameOf([...folders, name].join(slash))).toBe(name);
      expect(fileNameOf(`${name}${slash}`)).toBe("");
    }),
  );
});

test.each([
  ["http://localhost", true],
  ["https://LOCALHOST:8443/v1", true],
  [" http://127.0.0.1:80/ ", true],
  ["http://127.255.10.9/x", true],
  ["http://[::1]:3000", true],
  ["http://localhost.example.com", false],
  ["http://127.0.0.1.example.com", false],
  ["http://127.0.0", false],
  ["http://128.0.0.1", false],
  ["http://example.com/http://localhost/", false],
  ["ftp://localhost/", false],
  ["localhost", false],
])("%s is this computer's own: %s", (address, isLocal) => {
  expect(isLocalAddress(address)).toBe(isLocal);
});

test.each([
  ["card.png", true],
  ["/a/Card.JPEG", true],
  ["https://host/a.tif?x=1#top", true],
  ["a.mov", false],
  ["a.mov?poster=a.png", false],
  ["png", false],
  ["a.png.mov", false],
])("%s is a picture without a time of its own: %s", (name, isStill) => {
  expect(isStillName(name)).toBe(isStill);
});

test("a track's language is known by the first part of its code", () => {
  expect(["en-US", "de", "yue-HK", "tlh", ""].map(trackLanguage)).toEqual(["eng", "deu", "zho", "und", "und"]);
});
