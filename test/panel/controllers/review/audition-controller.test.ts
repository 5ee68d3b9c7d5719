import { expect, test } from "vitest";
import { readWaveHeader, type WaveLayout, waveLength } from "../../../../src/formats/wave/read-wave.ts";
import { frameBytes } from "../../../../src/formats/wave/wave-format.ts";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { HostError } from "../../../../src/host/host-error.ts";
import { type HostPlayer, SoundPlayer } from "../../../../src/host/uxp/sound-player.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { panelOnDoubles } from "../../open-panel.ts";
import { recut, sequenceOf } from "../conform/recut.ts";

function layoutIn(bytes: Uint8Array): WaveLayout {
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  return reading.layout;
}

/** A WAV of six seconds whose every sample says its own time, in hundredths of a second. */
function tickingWav(): Uint8Array {
  const wav = silentWav(6);
  const { format, dataOffset } = layoutIn(wav);
  const view = new DataView(wav.buffer, wav.byteOffset);
  const frame = frameBytes(format);
  for (let at = dataOffset; at + 1 < wav.length; at += 2) {
    view.setInt16(at, Math.floor(((at - dataOffset) / frame / format.sampleRate) * 100), true);
  }
  return wav;
}

test("a cue is heard with 2 s around it, by button and by key, the playhead before it, and nothing is left behind", async () => {
  const panel = await panelOnDoubles();
  panel.server.wav = tickingWav();
  await panel.describe();
  panel.page().byId("cue-keys").happens("keydown", { key: "End" });
  panel.page().byId("cue-keys").happens("keydown", { key: "l" });
  await expect.poll(() => panel.heard.length).toBe(1);
  const layout = layoutIn(panel.heard[0]?.bytes ?? new Uint8Array());
  // The second cue lies at 4 to 5 s: heard from 2 s on, to the end of the sound.
  const { bytes } = panel.heard[0] ?? { bytes: new Uint8Array() };
  expect(new DataView(bytes.buffer).getInt16(layout.dataOffset, true)).toBe(200);
  expect(waveLength(layout, bytes.length).seconds).toBeCloseTo(4, 5);
  await expect.poll(() => sequenceOf(panel).playerPosition / sequenceOf(panel).ticksPerFrame).toBe(50n);
  panel.page().byId("cue-keys").happens("keydown", { key: "l" });
  panel.page().byId("cue-keys").happens("keydown", { key: "Enter" });
  expect(panel.menu().root.textContent).toContain("Listen plays only the narration.");
  await expect.poll(() => panel.page().byId("listen").attributes["aria-label"]).toBe("Listen");
  panel.page().click("listen");
  await expect.poll(() => panel.heard.length).toBe(2);
  expect(panel.page().byId("listen").attributes["aria-label"]).toBe("Stop");
  panel.page().click("listen");
  await expect.poll(() => panel.page().byId("listen").attributes["aria-label"]).toBe("Listen");
  await expect.poll(() => [...panel.disk.files.keys()].filter((path) => path.includes("listen-"))).toEqual([]);
});

test("stopped while its sound is being made, a cue is not heard; asked for again, it is heard once", async () => {
  const panel = await panelOnDoubles();
  panel.server.wav = tickingWav();
  await panel.describe();
  const listen = () => panel.page().byId("cue-keys").happens("keydown", { key: "l" });
  const leftOver = () => [...panel.disk.files.keys()].filter((path) => path.includes("listen-"));
  panel.page().byId("cue-keys").happens("keydown", { key: "End" });
  panel.page().byId("cue-keys").happens("keydown", { key: "Enter" });
  // Keys come faster than drawings.
  listen();
  listen();
  await expect.poll(() => panel.page().byId("listen").attributes["aria-label"]).toBe("Listen");
  await expect.poll(leftOver).toEqual([]);
  expect(panel.heard).toEqual([]);
  listen();
  listen();
  listen();
  await expect.poll(() => panel.heard.length).toBe(1);
  await expect.poll(() => panel.page().byId("listen").attributes["aria-label"]).toBe("Stop");
  listen();
  await expect.poll(leftOver).toEqual([]);
  expect(panel.heard).toHaveLength(1);
  expect(panel.page().byId("listen").attributes["aria-label"]).toBe("Listen");
});

const never = { sleep: () => new Promise<void>(() => undefined) };

const noHost: HostPlayer = { name: "none", play: async () => false, stop: async () => undefined };

test("the source monitor plays until its time is over and is put back; where it cannot, that is said", async () => {
  const steps: string[] = [];
  const host: HostPlayer = {
    name: "host",
    play: async (path: string) => steps.push(path) > 0,
    stop: async () => void steps.push("stop"),
  };
  const slept: number[] = [];
  const clock = { sleep: async (milliseconds: number) => void slept.push(milliseconds) };
  await new SoundPlayer({ hosts: [host], clock }).play("/b.wav", 2);
  expect(steps).toEqual(["/b.wav", "stop"]);
  expect(slept.at(-1)).toBeGreaterThanOrEqual(2000);
  await expect(new SoundPlayer({ hosts: [noHost], clock: never }).play("/c.wav", 1)).rejects.toBeInstanceOf(HostError);
});

test("a player that is not heard, or raises, is followed by the next; where none is, each is named", async () => {
  const raising: HostPlayer = {
    name: "video",
    play: () => Promise.reject(new Error("no such element")),
    stop: async () => undefined,
  };
  const heard: string[] = [];
  const host: HostPlayer = {
    name: "host",
    play: async (path) => heard.push(path) > 0,
    stop: async () => undefined,
  };
  const clock = { sleep: async () => undefined };
  await new SoundPlayer({ hosts: [raising, noHost, host], clock }).play("/d.wav", 1);
  expect(heard).toEqual(["/d.wav"]);
  await expect(new SoundPlayer({ hosts: [raising, noHost], clock }).play("/e.wav", 1)).rejects.toMatchObject({
    tried: ["video raises no such element", "none plays nothing"],
  });
});

test("the source monitor is stopped too, also while it opens the file, and does one thing after the other", async () => {
  const steps: string[] = [];
  const host: HostPlayer = {
    name: "host",
    play: async (path: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      return steps.push(path) > 0;
    },
    stop: async () => void steps.push("stop"),
  };
  const player = new SoundPlayer({ hosts: [host], clock: never });
  const opening = player.play("/a.wav", 1);
  await new Promise((resolve) => setImmediate(resolve));
  const next = player.play("/b.wav", 1);
  await opening;
  await expect.poll(() => steps).toEqual(["/a.wav", "stop", "/b.wav"]);
  player.stop();
  await next;
  expect(steps).toEqual(["/a.wav", "stop", "/b.wav", "stop"]);
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
  const { format, dataOffset } = layoutIn(bytes);
  const at = dataOffset + Math.round(seconds * format.sampleRate) * frameBytes(format);
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
  await panel.sees("2 descriptions");
  panel.page().byId("cue-keys").happens("keydown", { key: "Home" });
  return panel;
}

const soundsOf = ({ disk }: { disk: { files: Map<string, unknown> } }) =>
  [...disk.files.keys()].filter((path) => path.includes("/exports/"));

test("narration that came alone is heard with the programme lowered under it, once its sound was exported, by keys alone", async () => {
  const panel = await described();
  panel.page().byId("cue-keys").happens("keydown", { key: "p" });
  await panel.sees("lowered under it");
  panel.page().byId("cue-keys").happens("keydown", { key: "l" });
  await expect.poll(() => panel.heard.length).toBe(1);
  // The first cue lies at 1 to 2.5 s: heard from the start on, with the second at 4 s, to 4.5 s.
  expect(levelAt(panel, 0.5)).toBe(2000);
  expect(levelAt(panel, 3.4)).toBe(2000);
  // 12 dB louder than the narration, the programme goes down by the 21 dB that are allowed at most.
  expect(levelAt(panel, 1.5)).toBeCloseTo(500 + 2000 * 10 ** (-21 / 20), -1);
  expect(levelAt(panel, 4.3)).toBeCloseTo(500 + 2000 * 10 ** (-21 / 20), -1);
  panel.page().byId("cue-keys").happens("keydown", { key: "l" });
  await expect.poll(() => soundsOf(panel).filter((path) => path.includes("listen-"))).toEqual([]);
  // The sound is exported once: another cue is heard from the same file.
  expect(soundsOf(panel)).toHaveLength(1);
  panel.page().byId("cue-keys").happens("keydown", { key: "End" });
  panel.page().byId("cue-keys").happens("keydown", { key: "l" });
  await expect.poll(() => panel.heard.length).toBe(2);
  expect(soundsOf(panel).filter((path) => !path.includes("listen-"))).toHaveLength(1);
});

test("once the cut changed, the sound is thrown away and the narration is heard alone, and that is said", async () => {
  const panel = await described();
  panel.menu().click("prepare-sound");
  await panel.sees("lowered under it");
  recut(panel, [[0, 75], 25, [75, 150]]); // biome-ignore format: one cut
  panel.page().byId("cue-keys").happens("keydown", { key: "l" });
  await panel.sees("The edit changed. Listen plays only the narration");
  await expect.poll(() => panel.heard.length).toBe(1);
  expect(levelAt(panel, 0.5)).toBe(500);
  expect(soundsOf(panel).filter((path) => !path.includes("listen-"))).toEqual([]);
});

thoroughTest(
  "with the narration on the timeline already, the sound is exported without it, and its track is heard again",
  async () => {
    const panel = await described();
    await panel.placeNarration();
    const ours = () => sequenceOf(panel).audioTracks.find(({ name }) => name === NARRATION_TRACK_NAME);
    const render = { get: () => levelWav(ours()?.isMuted === true ? 2000 : 2500) };
    Object.defineProperty(panel.rendered, "sound", render);
    panel.menu().click("prepare-sound");
    await panel.sees("lowered under it");
    expect(ours()?.isMuted).toBe(false);
    panel.page().byId("cue-keys").happens("keydown", { key: "l" });
    await expect.poll(() => panel.heard.length).toBe(1);
    expect(levelAt(panel, 0.5)).toBe(2000);
    expect(panel.page().root.textContent).not.toContain("The edit changed");
  },
);

test("where Premiere does not mute the narration, no sound is exported, and what to do is said", async () => {
  const panel = await described();
  await panel.placeNarration();
  panel.premiere.machine.faults.mute = "returns false";
  panel.menu().click("prepare-sound");
  await panel.sees("Mute the track, then try again.");
  expect(soundsOf(panel)).toEqual([]);
});

test("where the sound cannot be exported, that is said and the narration is heard alone", async () => {
  const panel = await described();
  panel.rendered.sound = silentWav(2);
  panel.menu().click("prepare-sound");
  await panel.sees("The export is 2.0 s long instead of 6.0 s");
  panel.page().byId("cue-keys").happens("keydown", { key: "l" });
  await expect.poll(() => panel.heard.length).toBe(1);
  expect(levelAt(panel, 0.5)).toBe(500);
  expect(panel.menu().root.textContent).toContain("Listen plays only the narration.");
});

test("a sound that a killed panel left is removed when it opens again", async () => {
  const panel = await described();
  panel.menu().click("prepare-sound");
  await panel.sees("lowered under it");
  panel.close();
  expect(soundsOf(panel)).toHaveLength(1);
  panel.open();
  await panel.sees("Place on timeline");
  await expect.poll(() => soundsOf(panel)).toEqual([]);
});
