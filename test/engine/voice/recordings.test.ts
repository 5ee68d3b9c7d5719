import { cp, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { RecordedVoice } from "../../../src/engine/voice/command.ts";
import { Narrator } from "../../../src/engine/voice/narrator.ts";
import { spokenWave } from "../../fakes/spoken-wave.ts";
import { voiceSuite } from "../../suites/voice.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let folder: string;
const open = () => RecordedVoice.open({ folder, languages: ["en-US"], voices: null });

beforeAll(async () => {
  folder = await temporaryFolder();
  const sound = await spokenWave("A woman sits at a desk. She opens the letter.", 1);
  await writeFile(join(folder, "001.wav"), sound);
  await writeFile(join(folder, "001.txt"), "A woman sits at a desk.\nShe opens the letter!");
  await writeFile(join(folder, "something else entirely.WAV"), await spokenWave("Something else entirely.", 1));
  await writeFile(join(folder, "broken.wav"), "no sound");
});

voiceSuite("a folder of recordings", {
  open,
  speaks: { language: "en-US", voice: "Narrator" },
  lacks: { language: "de-DE", voice: "Narrator" },
});

describe("a folder of recordings", () => {
  const say = async (text: string) => (await open()).speak({ text, language: "en-US", voice: "Narrator", rate: 1 });

  test("is searched by words alone", async () => {
    const exact = await say("A woman sits at a desk. She opens the letter.");
    expect(await say("a woman, sits at a desk -- SHE opens the letter")).toEqual(exact);
  });

  test("is searched by the line as it is written, and as it is spoken", async () => {
    const own = await temporaryFolder();
    const sound = await spokenWave("Doctor Jones has number five.", 1);
    for (const name of ["1", "2"]) await writeFile(join(own, `${name}.wav`), sound);
    await writeFile(join(own, "1.txt"), "Dr. Jones has No. 5.");
    await writeFile(join(own, "2.txt"), "Doctor Lee has number 7.");
    const voice = await RecordedVoice.open({ folder: own, languages: ["en"], voices: null });
    const narrator = new Narrator(voice, null, { language: "en-US", voice: "Narrator" });
    for (const line of ["Dr. Jones has No. 5.", "Dr. Lee has No. 7."]) {
      expect((await narrator.speak(line)).seconds).toBeGreaterThan(1);
    }
    await expect(narrator.speak("Dr. Ames has No. 9.")).rejects.toThrow("Dr. Ames has No. 9.");
  });

  test("says which line it lacks, and which recording cannot be read", async () => {
    await expect(say("Rain falls.")).rejects.toMatchObject({
      code: "recording_missing",
      message: expect.stringContaining("Rain falls."),
    });
    await expect(say("Broken")).rejects.toMatchObject({ code: "speech_unreadable" });
  });

  test("is not read where a recording is larger than five minutes of the best sound", async () => {
    const own = await temporaryFolder();
    await writeFile(join(own, "Rain falls.wav"), "");
    await truncate(join(own, "Rain falls.wav"), 96 * 2 ** 20 + 1);
    const voice = await RecordedVoice.open({ folder: own, languages: null, voices: null });
    const rain = { text: "Rain falls.", language: "en-US", voice: "Narrator", rate: 1 };
    await expect(voice.speak(rain)).rejects.toMatchObject({
      code: "speech_unreadable",
      message: expect.stringContaining("“Rain falls.” is longer than a line can be"),
    });
  });

  test("has another identity once a line is recorded anew", async () => {
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true, preserveTimestamps: true });
    const settings = { folder: copy, languages: null, voices: null };
    const before = (await RecordedVoice.open(settings)).id;
    expect((await RecordedVoice.open(settings)).id).toBe(before);
    await writeFile(join(copy, "001.wav"), await spokenWave("A woman sits.", 1));
    expect((await RecordedVoice.open(settings)).id).not.toBe(before);
    await rm(copy, { recursive: true });
  });
});
