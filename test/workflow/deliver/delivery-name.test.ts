import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import {
  deliveryName,
  FILE_KINDS,
  fileNameFault,
  referenceFault,
} from "../../../src/workflow/deliver/delivery-name.ts";
import { parseDeliveryPreset } from "../../../src/workflow/deliver/delivery-preset.ts";

const ORDER = {
  title: "Härbour: Day 7",
  language: "de-AT",
  reference: "HB/0107",
  createdAt: "2026-11-23T21:04:05.000Z",
  grid: { rate: frameRate(30_000, 1001), isDropFrame: true, startFrame: 0 },
  preset: { fileName: "{kind}.{ending}", kindNames: {}, plainNames: false },
} as const;

const named = (
  preset: Partial<(typeof ORDER)["preset"] | { fileName: string; kindNames: object; plainNames: boolean }>,
) => deliveryName({ ...ORDER, preset: { ...ORDER.preset, ...preset } }, "narration", "wav");

describe("names of a house", () => {
  test.each([
    ["{title}_{language}_{kind}.{ending}", "Härbour- Day 7_de-AT_narration.wav"],
    ["{reference}_{date}_{language3}_{kind}.{ending}", "HB-0107_20261123_deu_narration.wav"],
    ["{kind}_{rate}.{ending}", "narration_2997.wav"],
    ["../{kind}.{ending}", "-narration.wav"],
  ])("%s gives %s", (fileName, name) => {
    expect(named({ fileName })).toBe(name);
  });

  test("use its words for kinds, and plain letters where it takes no others", () => {
    const fileName = "{title}_{kind}.{ending}";
    expect(named({ fileName, kindNames: { narration: "AD" } })).toBe("Härbour- Day 7_AD.wav");
    expect(named({ fileName, plainNames: true })).toBe("Harbour-_Day_7_narration.wav");
  });

  test("are no path and no hidden file, whatever title and number are", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.boolean(), (title, reference, plainNames) => {
        const preset = { fileName: "{title}{reference}{kind}.{ending}", kindNames: {}, plainNames };
        const name = deliveryName({ ...ORDER, title, reference, preset }, "mix", "wav");
        expect(name).not.toMatch(/[\\/:]|^\./);
        expect(name.endsWith("mix.wav")).toBe(true);
      }),
    );
  });

  test.each([
    ["{titel}_{kind}.{ending}", "there is no {titel}"],
    ["{title}.{ending}", "needs {kind}"],
    ["{kind}_{ending}", "ends with"],
    ["{kind}.{ending}.txt", "ends with"],
  ])("are refused as %s", (pattern, sentence) => {
    expect(fileNameFault(pattern)).toContain(sentence);
  });
});

test.each([
  [undefined, "{kind}.{ending}", null],
  [undefined, "{reference}{kind}.{ending}", "no number"],
  ["HB-0107", "{reference}{kind}.{ending}", null],
  ["0".repeat(32), "{kind}.{ending}", null],
  ["0".repeat(33), "{kind}.{ending}", "1 to 32"],
  ["Härbour", "{kind}.{ending}", "ASCII"],
  ["", "{kind}.{ending}", "1 to 32"],
])("the number %j with the pattern %s: %s", (reference, pattern, sentence) => {
  const fault = referenceFault(reference, pattern);
  if (sentence === null) expect(fault).toBeNull();
  else expect(fault).toContain(sentence);
});

test("a preset of one's own gives kinds words of its own, each its own", () => {
  const preset = (kindNames: object) => parseDeliveryPreset(JSON.stringify({ kindNames, plainNames: true }));
  expect(preset({ narration: "AD", mix: "ADMIX" })).toMatchObject({
    kindNames: { narration: "AD", mix: "ADMIX" },
    plainNames: true,
  });
  // A kind of earlier versions, which is no longer written.
  expect(preset({ mix: "ADMIX", control: "CT" })).toMatchObject({ kindNames: { mix: "ADMIX" } });
  for (const wrong of [
    { narration: "mix" },
    { voice: "AD" },
    { mix: "" },
    { mix: 3 },
    { mix: "a/b" },
    { script: "report" },
  ]) {
    expect(preset(wrong)).toContain("kindNames");
  }
  expect(new Set(FILE_KINDS).size).toBe(FILE_KINDS.length);
});
