import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CheckResult, runConformance } from "../../tools/check/conformance/run.ts";
import { makeMedia } from "../made-media.ts";
import { startWebHost } from "./web-host.ts";

/** Configuration under which a service on this machine may fetch from this machine. */
export const FETCHES_LOCALLY = { url_input: { allowed_networks: ["127.0.0.0/8"], ports: null } };

/** Runs the conformance suite against a server that may fetch from this machine; resolves with what did not pass. */
export async function deviationsOf(server: string, key: string): Promise<CheckResult[]> {
  const folder = await mkdtemp(join(tmpdir(), "aside-conformance-"));
  const host = await startWebHost();
  try {
    const path = join(folder, "clip.mp4");
    makeMedia(path, [
      { graph: "testsrc2=size=320x180:rate=25:duration=5", codec: "libx264", options: { preset: "ultrafast" } },
      { graph: "anullsrc=sample_rate=48000:channel_layout=stereo,atrim=duration=5", codec: "aac" },
    ]);
    const bytes = new Uint8Array(await readFile(path));
    host.pages.set("/film.mp4", (_request, response) => response.end(bytes));
    const results = await runConformance({
      server,
      key,
      video: { bytes, name: "clip.mp4" },
      videoUrl: `${host.url}/film.mp4`,
      patienceSeconds: 120,
    });
    return results.filter(({ outcome }) => outcome !== "passed");
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}
