import { describe, expect, test } from "vitest";
import {
  FIRST_FORM,
  type Form,
  forecast,
  forecastOf,
  minimumCueSecondsFrom,
  rangeOf,
  trackOf,
  withSavedForm,
  withSettings,
} from "../../../panel/state/form.ts";
import { addressFault, hostNameOf, maskedKey } from "../../../panel/state/service-address.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { isLocalAddress } from "../../../src/core/ports.ts";
import { estimateRun } from "../../../src/workflow/describe/run.ts";

const HOSTED = { address: "https://api.example.com" };

const sequence = {
  id: "s",
  name: "Harbour_v7",
  rate: frameRate(25),
  isDropFrame: false,
  startFrame: 0,
  durationSeconds: 600,
  inPoint: 60,
  outPoint: 120,
};

test("PANEL-03: ten minutes are told as 5 credits for text and 7.5 for sound, and as none on this computer", () => {
  expect(forecast({ ...FIRST_FORM, wanted: "markers" }, sequence, HOSTED)).toMatchObject({ minutes: 10, credits: 5 });
  expect(forecast(FIRST_FORM, sequence, HOSTED).credits).toBe(7.5);
  expect(forecast(FIRST_FORM, sequence, { address: "http://127.0.0.1:8420" })).toMatchObject({
    credits: 0,
    isLocal: true,
  });
});

test("the wait is told in minutes, of what the service is known to take in seconds", () => {
  const kind = "audio";
  for (const durationSeconds of [60, 600, 5400]) {
    const { uploadBytes, waitMinutes } = forecastOf(durationSeconds, FIRST_FORM, HOSTED);
    const { waitSeconds } = estimateRun({ durationSeconds, kind, sizeBytes: uploadBytes, isLocal: false });
    expect(waitMinutes === null ? null : waitMinutes * 60).toBe(waitSeconds);
    expect(waitSeconds).not.toBeNull();
  }
});

test("PANEL-04: a range longer than your plan allows is refused before anything begins", () => {
  expect(forecast(FIRST_FORM, sequence, { ...HOSTED, planMinutes: 9 }).limit).toBe("minutes");
  const short = forecast({ ...FIRST_FORM, range: "in-to-out" }, sequence, { ...HOSTED, planMinutes: 9 });
  expect(short).toMatchObject({ limit: null, minutes: 1 });
});

test("PANEL-02: an empty range is refused before anything begins", () => {
  expect(forecast(FIRST_FORM, { ...sequence, durationSeconds: 0 }, HOSTED).limit).toBe("empty");
});

test("an upload is large that is more than 200 MiB, and none is on this computer", () => {
  const presets = [{ name: "p", isProven: true, bitsPerSecond: 8 }];
  const isLarge = (bytes: number, service = HOSTED) => forecastOf(bytes, FIRST_FORM, service, presets).isLarge;
  const limit = 200 * 2 ** 20;
  expect([isLarge(limit - 1), isLarge(limit), isLarge(limit + 1)]).toEqual([false, false, true]);
  expect(isLarge(2 * limit, { address: "http://127.0.0.1:8420" })).toBe(false);
});

test("a long upload is warned of where a service may take no slices", () => {
  expect(forecast(FIRST_FORM, { ...sequence, durationSeconds: 7200 }, HOSTED).isLarge).toBe(true);
});

test("the size of the upload is that of the chosen preset's bit rates, and of the first where none is chosen", () => {
  const preset = (name: string, bitsPerSecond: number) => ({ name, isProven: true, bitsPerSecond });
  const presets = [preset("Small", 800_000), preset("Large", 8_000_000)];
  const bytes = (form: Partial<Form>) => forecast({ ...FIRST_FORM, ...form }, sequence, HOSTED, presets).uploadBytes;
  expect(bytes({})).toBe(60_000_000);
  expect(bytes({ preset: "Large" })).toBe(600_000_000);
});

test("PANEL-15: the shortest cue stops at both bounds of the interface", () => {
  expect(minimumCueSecondsFrom("0.1")).toBe(0.75);
  expect(minimumCueSecondsFrom("9")).toBe(5);
  expect(minimumCueSecondsFrom("1,52")).toBe(1.5);
  expect(minimumCueSecondsFrom("")).toBe(0.75);
});

test("extended descriptions come as text alone", () => {
  expect(trackOf(withSettings(FIRST_FORM, { type: "extended" }))).toBe("none");
  expect(trackOf(FIRST_FORM)).toBe("ad_only");
});

test("the range ends where the sequence does when no out point is set", () => {
  const { outPoint: _, ...open } = sequence;
  expect(rangeOf({ range: "in-to-out" }, open)).toEqual({ start: 60, end: 600 });
});

test("saved settings replace those of the same name and hold no captions of one programme", () => {
  const captionFile = { filename: "a.vtt", content: "WEBVTT" };
  const form = { ...FIRST_FORM, captionSource: "file", captionFile } as const;
  const saved = withSavedForm(withSavedForm([], "Film", FIRST_FORM), "Film", form);
  expect(saved).toEqual([{ name: "Film", form: FIRST_FORM }]);
});

describe("service addresses", () => {
  test("only this computer's own count as local", () => {
    for (const address of ["http://127.0.0.1:8420", "http://localhost", "https://[::1]:1/x"]) {
      expect(isLocalAddress(address)).toBe(true);
    }
    for (const address of [
      "http://127.0.0.1.example.com",
      "https://localhost.example.com",
      "https://api.example.com",
    ]) {
      expect(isLocalAddress(address)).toBe(false);
    }
  });

  test("a key is never sent unencrypted over a network, nor to what is no address", () => {
    expect(addressFault("http://api.example.com")).toBe("unencrypted");
    expect(addressFault("api.example.com")).toBe("malformed");
    expect(addressFault("https://name:secret@api.example.com")).toBe("malformed");
    expect(addressFault(" ")).toBe("missing");
    expect(addressFault("https://api.example.com/v1")).toBeNull();
    expect(hostNameOf("https://api.example.com:8443/v1")).toBe("api.example.com:8443");
  });

  test("a key is shown by its last letters, a short one not at all", () => {
    expect(maskedKey("vsk_0123456789abcd")).toMatch(/^•+abcd$/);
    expect(maskedKey("short")).not.toContain("short");
    const isHinted = (length: number) => /[a-z]/.test(maskedKey("k".repeat(length)));
    expect([isHinted(11), isHinted(12), isHinted(13)]).toEqual([false, true, true]);
  });
});
