import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../src/contract/choices.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { voiceCatalogue } from "../../../src/engine/voice/voice-names.ts";
import { openVoice, voiceConfiguration } from "../../../src/engine/voice/voice-settings.ts";

const of = (settings: Record<string, string>) =>
  voiceConfiguration(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ASIDE_VOICE_${name}`, value])),
  );

describe("voiceConfiguration", () => {
  test("is the embedded voice when nothing is set", () => {
    expect(of({})).toEqual({ kind: "espeak" });
  });

  test("reads a server, its voices and its languages", () => {
    expect(
      of({ URL: "http://localhost:8880/v1/", MODEL: "kokoro", NAMES: "Achernar=af_sky, Charon=am_x", LANGUAGES: "en" }),
    ).toMatchObject({
      kind: "openai-speech",
      settings: {
        baseUrl: "http://localhost:8880/v1",
        model: "kokoro",
        apiKey: "none",
        timeoutSeconds: 60,
        names: { own: { Achernar: "af_sky", Charon: "am_x" }, languages: ["en"] },
      },
    });
  });

  test("reads a command and a folder", () => {
    expect(of({ COMMAND: '["piper", "--output_file", "{output}"]', TIMEOUT: "5" })).toMatchObject({
      kind: "command",
      settings: { command: ["piper", "--output_file", "{output}"], timeoutSeconds: 5 },
    });
    expect(of({ RECORDINGS: "/lines", NAMES: "Narrator=me" })).toEqual({
      kind: "recordings",
      settings: { folder: "/lines", languages: null, voices: ["Narrator"] },
    });
  });

  test.each([
    [{ URL: "http://localhost/v1" }, /MODEL is not/],
    [{ URL: "file:///etc", MODEL: "x" }, /no http/],
    [{ COMMAND: "piper --x" }, /no JSON list/],
    [{ COMMAND: "[]" }, /no JSON list/],
    [{ COMMAND: '["a", 1]' }, /no JSON list/],
    [{ COMMAND: '["a"]', RECORDINGS: "/x" }, /COMMAND and ASIDE_VOICE_RECORDINGS are both set/],
    [{ NAMES: "Achernar" }, /not of the form/],
    [{ TIMEOUT: "soon" }, /no number/],
  ])("says what is wrong with %j", (settings: Record<string, string>, reason) => {
    expect(of(settings)).toEqual({ kind: "incomplete", reason: expect.stringMatching(reason) });
  });

  test("opens the voice it names", async () => {
    expect((await openVoice({ kind: "espeak" })).id).toMatch(/^espeak-ng/);
    const command = of({ COMMAND: '["piper"]' });
    if (command.kind === "incomplete") throw new Error(command.reason);
    const voice = await openVoice(command);
    expect(voice.id).toMatch(/^command/);
    expect(() => voice.check("ja-JP", "Kore")).not.toThrow();
  });
});

test("GEN-11 LANG-03: the catalogue lists 31 voices with gender and languages; the embedded ones speak 49 of 53", () => {
  const catalogue = voiceCatalogue(new EspeakVoice());
  expect(catalogue.length).toBe(31);
  expect(LANGUAGES.length).toBe(53);
  for (const { languages, gender } of catalogue) {
    expect(languages.length).toBe(49);
    expect(["female", "male"]).toContain(gender);
  }
  expect(catalogue.filter(({ isConfirmed }) => isConfirmed).map(({ name }) => name)).toEqual(["Achernar"]);
});
