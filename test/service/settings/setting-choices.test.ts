import { expect, test } from "vitest";
import { voiceConfiguration } from "../../../src/engine/voice/voice-settings.ts";
import { type LocalSearch, settingChoices } from "../../../src/service/settings/setting-choices.ts";
import { stateOfPart } from "../../../src/service/settings/state-of-part.ts";
import { kokoro, speakingStore, supertonic } from "../../fakes/speaking-models.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const NOTHING: LocalSearch = {
  findModels: () => Promise.resolve([]),
  findTranscription: () => Promise.resolve(null),
  findSpeech: () => Promise.resolve(null),
  findServers: () => Promise.resolve([]),
};

const KOKORO = { title: "Kokoro-FastAPI", baseUrl: "http://127.0.0.1:8880/v1", model: "kokoro", voices: 67 };

test("voices are offered in the order of how they sound: installed ones, servers of this computer, the built-in one", async () => {
  const { environment } = await speakingStore(await temporaryFolder(), [kokoro(), supertonic()]);
  const search = { ...NOTHING, findServers: () => Promise.resolve([KOKORO]) };
  const { voice } = await settingChoices(environment, true, search);
  expect(voice).toEqual([
    expect.objectContaining({
      title: "Kokoro English",
      detail: "A natural voice on this computer, in English. Costs nothing.",
      values: { natural: "kokoro-en" },
    }),
    expect.objectContaining({ title: "Supertonic 3", detail: expect.stringContaining("in 3 languages") }),
    expect.objectContaining({
      title: "kokoro in Kokoro-FastAPI",
      detail: "67 voices on this computer. Costs nothing.",
      values: { server: "http://127.0.0.1:8880/v1", model: "kokoro" },
    }),
    expect.objectContaining({ title: "Built in", values: { natural: "off", system: "off" } }),
  ]);
  // What is chosen is what speaks.
  const off = { ...environment, ASIDE_VOICE_NATURAL: "off", ASIDE_VOICE_SYSTEM: "off" };
  expect(voiceConfiguration(off)).toEqual({ kind: "espeak" });
  const chosen = { ...environment, ASIDE_VOICE_NATURAL: "kokoro-en" };
  expect(stateOfPart("voice", chosen).sentence).toBe("Kokoro English, on this computer.");
  expect(stateOfPart("voice", environment).sentence).toBe(
    "Kokoro English, Supertonic 3 in the languages that they speak; else the built-in voice.",
  );
});

test.skipIf(process.platform !== "linux")(
  "where nothing else would speak by itself, the built-in voice needs no setting",
  async () => {
    const { voice } = await settingChoices({}, true, NOTHING);
    expect(voice.map(({ title, values }) => [title, values])).toEqual([["Built in", {}]]);
  },
);
