import { expect, test } from "vitest";
import { readWaveHead, waveSeconds } from "../../../../src/formats/wave/read-wave.ts";
import { stretchBytes, wavOfStretch } from "../../../../src/formats/wave/wave-stretch.ts";
import { HostError } from "../../../../src/host/host-error.ts";
import { type HostPlayer, type MediaElement, SoundPlayer } from "../../../../src/host/uxp/sound-player.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { panelOnDoubles } from "../../open-panel.ts";
import { recut, sequenceOf } from "../conform/recut.ts";

/** A WAV of six seconds whose every sample says its own time, in hundredths of a second. */
function tickingWav(): Uint8Array {
  const wav = silentWav(6);
  const header = readWaveHead(wav);
  if (header === null) throw new Error("no WAV");
  const view = new DataView(wav.buffer, wav.byteOffset);
  const frame = (header.channels * header.bits) / 8;
  for (let at = header.dataOffset; at + 1 < wav.length; at += 2) {
    view.setInt16(at, Math.floor(((at - header.dataOffset) / frame / header.sampleRate) * 100), true);
  }
  return wav;
}

test("a stretch of a WAV is a WAV of its own, of the very samples", () => {
  const wav = tickingWav();
  const header = readWaveHead(wav);
  if (header === null) throw new Error("no WAV");
  const { position, length } = stretchBytes(header, 2, 4.5);
  const cut = wavOfStretch(wav.subarray(0, header.dataOffset), wav.subarray(position, position + length));
  const read = readWaveHead(cut);
  expect(read).toMatchObject({ channels: header.channels, sampleRate: header.sampleRate });
  expect(read === null ? 0 : waveSeconds(read, cut.length)).toBeCloseTo(2.5, 5);
  expect(new DataView(cut.buffer).getInt16(header.dataOffset, true)).toBe(200);
  // Past the end there is nothing.
  expect(stretchBytes(header, 5, 9).length).toBe(stretchBytes(header, 5, 6).length);
  expect(stretchBytes(header, 7, 9).length).toBe(0);
});

test("a cue is heard with 2 s around it, by button and by key, the playhead before it, and nothing is left behind", async () => {
  const panel = await panelOnDoubles();
  panel.server.wav = tickingWav();
  await panel.describe();
  panel.page().byId("cues").happens("keydown", { key: "End" });
  panel.page().byId("cues").happens("keydown", { key: "l" });
  await expect.poll(() => panel.heard.length).toBe(1);
  const header = readWaveHead(panel.heard[0]?.bytes ?? new Uint8Array());
  if (header === null) throw new Error("no WAV was played");
  // The second cue lies at 4 to 5 s: heard from 2 s on, to the end of the sound.
  const { bytes } = panel.heard[0] ?? { bytes: new Uint8Array() };
  expect(new DataView(bytes.buffer).getInt16(header.dataOffset, true)).toBe(200);
  expect(waveSeconds(header, bytes.length)).toBeCloseTo(4, 5);
  await expect.poll(() => sequenceOf(panel).playerPosition / sequenceOf(panel).ticksPerFrame).toBe(50n);
  panel.page().byId("cues").happens("keydown", { key: "l" });
  panel.page().byId("cues").happens("keydown", { key: "Enter" });
  await panel.sees("Listen plays the narration alone.");
  await expect.poll(() => panel.page().byId("listen").textContent).toBe("Listen");
  panel.page().click("listen");
  await expect.poll(() => panel.heard.length).toBe(2);
  expect(panel.page().byId("listen").textContent).toBe("Stop");
  panel.page().click("listen");
  await expect.poll(() => panel.page().byId("listen").textContent).toBe("Listen");
  await expect.poll(() => [...panel.disk.files.keys()].filter((path) => path.includes("listen-"))).toEqual([]);
});

test("stopped while its sound is being made, a cue is not heard; asked for again, it is heard once", async () => {
  const panel = await panelOnDoubles();
  panel.server.wav = tickingWav();
  await panel.describe();
  const listen = () => panel.page().byId("cues").happens("keydown", { key: "l" });
  const leftOver = () => [...panel.disk.files.keys()].filter((path) => path.includes("listen-"));
  panel.page().byId("cues").happens("keydown", { key: "End" });
  panel.page().byId("cues").happens("keydown", { key: "Enter" });
  // Keys come faster than drawings.
  listen();
  listen();
  await expect.poll(() => panel.page().byId("listen").textContent).toBe("Listen");
  await expect.poll(leftOver).toEqual([]);
  expect(panel.heard).toEqual([]);
  listen();
  listen();
  listen();
  await expect.poll(() => panel.heard.length).toBe(1);
  await expect.poll(() => panel.page().byId("listen").textContent).toBe("Stop");
  listen();
  await expect.poll(leftOver).toEqual([]);
  expect(panel.heard).toHaveLength(1);
  expect(panel.page().byId("listen").textContent).toBe("Listen");
});

const element = (play: () => Promise<void>): MediaElement => ({
  src: "",
  play,
  pause: () => undefined,
  addEventListener: () => undefined,
});
const never = { sleep: () => new Promise<void>(() => undefined) };

const noHost: HostPlayer = { play: async () => false, stop: async () => undefined };

test("where the panel cannot play, the source monitor does until its time is over; where neither can, that is said", async () => {
  const opened: string[] = [];
  const host = { ...noHost, play: async (path: string) => opened.push(path) > 0 };
  const slept: number[] = [];
  const clock = { sleep: async (milliseconds: number) => void slept.push(milliseconds) };
  const refuses = () => element(() => Promise.reject(new Error("no codec")));
  await new SoundPlayer({ makeElement: refuses, host, clock }).play("/a.wav", 1);
  await new SoundPlayer({ makeElement: () => null, host, clock }).play("/b.wav", 2);
  expect(opened).toEqual(["/a.wav", "/b.wav"]);
  expect(slept.at(-1)).toBeGreaterThanOrEqual(2000);
  const silent = new SoundPlayer({ makeElement: () => null, host: noHost, clock: never });
  await expect(silent.play("/c.wav", 1)).rejects.toBeInstanceOf(HostError);
});

test("the source monitor is stopped too, also while it opens the file", async () => {
  const steps: string[] = [];
  const host: HostPlayer = {
    play: async () => steps.push("play") > 0,
    stop: async () => void steps.push("stop"),
  };
  const player = new SoundPlayer({ makeElement: () => null, host, clock: never });
  const opening = player.play("/a.wav", 1);
  player.stop();
  await opening;
  expect(steps).toEqual(["play", "stop"]);
  const playing = player.play("/b.wav", 1);
  await new Promise((resolve) => setImmediate(resolve));
  player.stop();
  await playing;
  expect(steps).toEqual(["play", "stop", "play", "stop"]);
});

test("a path of Windows, with blanks and marks, is an address, and stopping ends the waiting", async () => {
  const made = element(async () => undefined);
  const player = new SoundPlayer({ makeElement: () => made, host: noHost, clock: never });
  const over = player.play("C:\\Films\\A #1.wav", 1);
  expect(made.src).toBe("file:///C:/Films/A%20%231.wav");
  player.stop();
  await over;
});

/** A WAV of two channels whose every sample has one value, as long as the sequence of the double. */
function levelWav(level: number): Uint8Array {
  const wav = silentWav(6);
  const view = new DataView(wav.buffer, wav.byteOffset);
  for (let at = 44; at + 1 < wav.length; at += 2) view.setInt16(at, level, true);
  return wav;
}

/** A level of what was heard last, so many seconds from its start. */
function levelAt({ heard }: { heard: readonly { bytes: Uint8Array }[] }, seconds: number): number {
  const bytes = heard.at(-1)?.bytes ?? new Uint8Array();
  const header = readWaveHead(bytes);
  if (header === null) throw new Error("no WAV was played");
  const at = header.dataOffset + Math.round(seconds * header.sampleRate) * header.channels * 2;
  return new DataView(bytes.buffer, bytes.byteOffset).getInt16(at, true);
}

async function described() {
  const panel = await panelOnDoubles();
  // The narration is as loud as can be told from the programme: 500 where somebody speaks, over a programme of 2000.
  panel.server.wav = levelWav(500);
  panel.rendered.sound = levelWav(2000);
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  await panel.order();
  await panel.sees("Put the programme under it");
  panel.page().byId("cues").happens("keydown", { key: "Home" });
  return panel;
}

const soundsOf = ({ disk }: { disk: { files: Map<string, unknown> } }) =>
  [...disk.files.keys()].filter((path) => path.includes("/exports/"));

test("narration that came alone is heard with the programme lowered under it, once its sound was exported, by keys alone", async () => {
  const panel = await described();
  panel.page().byId("cues").happens("keydown", { key: "p" });
  await panel.sees("lowered under it");
  panel.page().byId("cues").happens("keydown", { key: "l" });
  await expect.poll(() => panel.heard.length).toBe(1);
  // The first cue lies at 1 to 2.5 s: heard from the start on, with the second at 4 s, to 4.5 s.
  expect(levelAt(panel, 0.5)).toBe(2000);
  expect(levelAt(panel, 3.4)).toBe(2000);
  // 12 dB louder than the narration, the programme goes down by the 21 dB that are allowed at most.
  expect(levelAt(panel, 1.5)).toBeCloseTo(500 + 2000 * 10 ** (-21 / 20), -1);
  expect(levelAt(panel, 4.3)).toBeCloseTo(500 + 2000 * 10 ** (-21 / 20), -1);
  panel.page().byId("cues").happens("keydown", { key: "l" });
  await expect.poll(() => soundsOf(panel).filter((path) => path.includes("listen-"))).toEqual([]);
  // The sound is exported once: another cue is heard from the same file.
  expect(soundsOf(panel)).toHaveLength(1);
  panel.page().byId("cues").happens("keydown", { key: "End" });
  panel.page().byId("cues").happens("keydown", { key: "l" });
  await expect.poll(() => panel.heard.length).toBe(2);
  expect(soundsOf(panel).filter((path) => !path.includes("listen-"))).toHaveLength(1);
});

test("once the cut changed, the sound is thrown away and the narration is heard alone, and that is said", async () => {
  const panel = await described();
  panel.page().click("prepare-sound");
  await panel.sees("lowered under it");
  recut(panel, [[0, 75], 25, [75, 150]]); // biome-ignore format: one cut
  panel.page().byId("cues").happens("keydown", { key: "l" });
  await panel.sees("The cut changed: Listen plays the narration alone");
  await expect.poll(() => panel.heard.length).toBe(1);
  expect(levelAt(panel, 0.5)).toBe(500);
  expect(soundsOf(panel).filter((path) => !path.includes("listen-"))).toEqual([]);
});

test("with the narration on the timeline already nothing is exported, and what to do is said", async () => {
  const panel = await described();
  await panel.placeNarration();
  panel.page().click("prepare-sound");
  await panel.sees("Play the sequence in Premiere, or mute the track");
  expect(soundsOf(panel)).toEqual([]);
});

test("where the sound cannot be exported, that is said and the narration is heard alone", async () => {
  const panel = await described();
  panel.rendered.sound = silentWav(2);
  panel.page().click("prepare-sound");
  await panel.sees("The export is 2.0 s long instead of 6.0 s");
  panel.page().byId("cues").happens("keydown", { key: "l" });
  await expect.poll(() => panel.heard.length).toBe(1);
  expect(levelAt(panel, 0.5)).toBe(500);
  await panel.sees("Listen plays the narration alone.");
});

test("a sound that a killed panel left is removed when it opens again", async () => {
  const panel = await described();
  panel.page().click("prepare-sound");
  await panel.sees("lowered under it");
  panel.close();
  expect(soundsOf(panel)).toHaveLength(1);
  panel.open();
  await panel.sees("Describe sequence");
  await expect.poll(() => soundsOf(panel)).toEqual([]);
});
