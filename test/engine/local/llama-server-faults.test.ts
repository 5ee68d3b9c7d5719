import { describe, expect, test } from "vitest";
import {
  endedAgain,
  endedEarly,
  fileMissing,
  type KeeperNews,
  neverReady,
} from "../../../src/engine/local/llama-server-faults.ts";
import type { InstalledEyes } from "../../../src/engine/models/vision-settings.ts";

const installed = (id: string, title: string) => ({ id, title });
// What is read of an installation.
const EYES = {
  engine: installed("llama-server", "llama.cpp"),
  model: installed("qwen3-vl-4b", "Qwen3-VL 4B"),
} as unknown as InstalledEyes;

const DIED: KeeperNews = { type: "ended", code: 1, signal: null };

/** Why it did not start, by what it said. */
function fault(log: string, end: KeeperNews | null = DIED, onProcessor = false) {
  const { kind, mayBeGraphics, error } = endedEarly(EYES, { end, log, lastWords: log }, onProcessor);
  expect(error.code).toBe("vision_engine_failed");
  return { kind, mayBeGraphics, message: error.message };
}

describe("why a model did not start", () => {
  const DAMAGED =
    "its file is damaged or does not suit its program. Install Qwen3-VL 4B again: aside models remove qwen3-vl-4b,";
  const AGAIN = "Install llama.cpp again: aside models remove llama-server, then aside models install llama-server.";
  const MEMORY = "this computer has too little memory free for it. Close other programs,";

  test.each([
    ["main: couldn't bind to server socket", "port", false, "other programs kept taking its port. Try again;"],
    ["bind: Address already in use", "port", false, "other programs kept taking its port."],
    ["error while loading shared libraries: libvulkan.so.1", "other", false, AGAIN],
    ["dyld: Library not loaded: @rpath/libggml.dylib", "other", false, AGAIN],
    ["gguf_init: invalid magic characters 'abcd'", "other", false, DAMAGED],
    ["error loading model: tensor 'blk.0' data is not within the file bounds", "other", false, DAMAGED],
    ["failed to load mmproj", "other", false, DAMAGED],
    ["std::bad_alloc", "other", true, MEMORY],
    ["ggml: failed to allocate buffer", "other", true, MEMORY],
    ["vk::ErrorDeviceLost", "other", true, "its program ended (exit code 1). Update the driver of the graphics card,"],
    ["nothing that is known", "other", true, "its program ended (exit code 1). Install Qwen3-VL 4B again:"],
  ] as const)("is told by what it said: %s", (log, kind, mayBeGraphics, message) => {
    const found = fault(log);
    expect(found).toMatchObject({ kind, mayBeGraphics });
    expect(found.message).toContain("Qwen3-VL 4B on this computer could not be started: ");
    expect(found.message).toContain(message);
    expect(found.message.endsWith(`It said: “${log}”.`)).toBe(true);
  });

  test("may be the graphics card, where a driver broke what looks like the file; without the card it is the file", () => {
    const log = "vulkan: failed to load model";
    expect(fault(log)).toMatchObject({ mayBeGraphics: true, message: expect.stringContaining("Update the driver") });
    expect(fault(log, DIED, true)).toMatchObject({ mayBeGraphics: false, message: expect.stringContaining(DAMAGED) });
    expect(fault("nothing", DIED, true).message).toContain("its program ended (exit code 1), on the processor too.");
  });

  test("is told by how it ended, where it said nothing", () => {
    const killed = fault("", { type: "ended", code: null, signal: "SIGKILL" });
    expect(killed.message).toContain(MEMORY);
    expect(killed.message).not.toContain("It said");
    expect(fault("", { type: "ended", code: null, signal: "SIGSEGV" }).message).toContain("(signal SIGSEGV)");
    expect(fault("", { type: "not-started", why: "spawn ENOENT" })).toMatchObject({
      ...{ kind: "other", mayBeGraphics: false },
      message: expect.stringContaining("its program does not run here (spawn ENOENT)."),
    });
  });

  test("is that it took too long, that it ended twice, or that a file of it is gone, each with what to do", () => {
    const late = neverReady(EYES, 120);
    expect(late).toMatchObject({ kind: "other", mayBeGraphics: false });
    expect(late.error.message).toMatch(/was not ready within 120 s\. Close other programs and try again/);
    const again = endedAgain(EYES, { ending: { type: "ended", code: null, signal: "SIGSEGV" }, lastWords: "boom" });
    expect(again.message).toMatch(
      /ended twice while it was asked \(signal SIGSEGV\)\. Use a smaller model, or install/,
    );
    expect(again.message).toMatch(/It said: “boom”\.$/);
    expect(endedAgain(EYES, { ending: null, lastWords: "" }).message).toContain("while it was asked. Use a smaller");
    expect(fileMissing(EYES.engine).message).toBe(`llama.cpp on this computer is not whole. ${AGAIN}`);
  });
});
