import { describe, expect, test } from "vitest";
import { transcriptionConfiguration } from "../../../src/engine/dialogue/transcription-settings.ts";

const configurationOf = (settings: Readonly<Record<string, string>>) =>
  transcriptionConfiguration(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ASIDE_TRANSCRIPTION_${name}`, value])),
  );

describe("the settings of transcription", () => {
  test("name a server, with or without a key", () => {
    expect(configurationOf({ URL: " https://api.example/v1/ ", MODEL: "whisper-1", KEY: "sk", TIMEOUT: "60" })).toEqual(
      {
        kind: "configured",
        settings: { baseUrl: "https://api.example/v1", model: "whisper-1", apiKey: "sk", timeoutSeconds: 60 },
      },
    );
    expect(configurationOf({ URL: "http://127.0.0.1:8080/inference" })).toEqual({
      kind: "configured",
      settings: { baseUrl: "http://127.0.0.1:8080/inference", model: "", apiKey: "", timeoutSeconds: 900 },
    });
  });

  test("may be absent, or forbid it", () => {
    expect(configurationOf({})).toEqual({ kind: "absent", timeoutSeconds: 900 });
    expect(configurationOf({ URL: "off", MODEL: "whisper-1" })).toEqual({ kind: "off" });
  });

  test.each([
    [{ MODEL: "whisper-1" }, "ASIDE_TRANSCRIPTION_URL is not"],
    [{ URL: "http://a/v1" }, "ASIDE_TRANSCRIPTION_MODEL is not"],
    [{ URL: "a/v1", MODEL: "m" }, "no http(s) address"],
    [{ URL: "http://a/v1", MODEL: "m", TIMEOUT: "soon" }, "no number of seconds"],
    [{ TIMEOUT: "0" }, "no number of seconds"],
  ])("that do not suffice are told: %o", (settings, reason) => {
    const found = configurationOf(settings);
    expect(found.kind === "incomplete" ? found.reason : found.kind).toContain(reason);
  });
});
