import { expect, test } from "vitest";
import { LANGUAGES } from "../../../src/contract/choices.ts";
import { heardVoices } from "../../../src/engine/voice/heard-voices.ts";
import { openVoice, voiceConfiguration } from "../../../src/engine/voice/voice-settings.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const FOUND = JSON.stringify({
  command: ["say", "{voice}"],
  voices: [
    { id: "com.system.samantha", name: "Samantha", language: "en-US", gender: "female" },
    { id: "com.system.alex", name: "Alex", language: "en-US", gender: "male" },
    { id: "com.system.anna", name: "Anna", language: "de-DE", gender: "female" },
  ],
});
const SYSTEM = { ASIDE_VOICE_SYSTEM: "on", ASIDE_VOICE_SYSTEM_FOUND: FOUND };

/** Titles of the voices that speak a language. */
async function titles(environment: Readonly<Record<string, string>>, language: string): Promise<readonly string[]> {
  const heard = await heardVoices(environment);
  return heard.filter(({ languages }) => languages.includes(language)).map(({ title }) => title);
}

test("the built-in voice is a woman's and a man's, in the languages that it speaks", async () => {
  const heard = await heardVoices({});
  expect(heard.map(({ voice, title, gender }) => [voice, title, gender])).toEqual([
    ["Achernar", "Built in", "female"],
    ["Achird", "Built in", "male"],
  ]);
  for (const { languages } of heard) {
    expect(languages).toContain("pt-BR");
    expect(languages).not.toContain("ja-JP");
  }
});

test("voices of the system have the names that people know, each once for its language", async () => {
  expect(await titles(SYSTEM, "en-US")).toEqual(["Samantha", "Alex"]);
  expect(await titles(SYSTEM, "de-DE")).toEqual(["Anna"]);
  expect(await titles(SYSTEM, "fr-FR")).toEqual([]);
});

test.each([
  ["built in", {}],
  ["of the system", SYSTEM],
  ["of a program", { ASIDE_VOICE_COMMAND: '["speak"]', ASIDE_VOICE_LANGUAGES: "en,de-DE" }],
  ["of a speech server", { ASIDE_VOICE_URL: "http://127.0.0.1:8880/v1", ASIDE_VOICE_MODEL: "kokoro" }],
])(
  "every voice that is listed speaks by its name in each of its languages, and none twice: %s",
  async (_, environment) => {
    const configuration = voiceConfiguration(environment);
    if (configuration.kind === "incomplete") throw new Error(configuration.reason);
    const voice = await openVoice(configuration);
    const heard = await heardVoices(environment);
    expect(heard.length).toBeGreaterThan(0);
    for (const one of heard) for (const language of one.languages) voice.check(language, one.voice);
    for (const language of LANGUAGES) {
      const names = heard.filter(({ languages }) => languages.includes(language)).map((one) => one.voice);
      expect(new Set(names).size).toBe(names.length);
    }
  },
);

test("a person's recordings are one voice, and what cannot be used has none", async () => {
  const folder = await temporaryFolder();
  expect(await titles({ ASIDE_VOICE_RECORDINGS: folder }, "en-US")).toEqual(["Your recordings"]);
  expect(await heardVoices({ ASIDE_VOICE_RECORDINGS: `${folder}/gone` })).toEqual([]);
  expect(await heardVoices({ ASIDE_VOICE_URL: "http://127.0.0.1:8880/v1" })).toEqual([]);
});
