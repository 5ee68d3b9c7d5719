import { DESCRIBE } from "../../../../src/cli/commands/describe/describe.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { asideHere, hostedService } from "../../run-aside.ts";

/** A film of five seconds. */
export const FILM = sharedMedia("containers/sintel-5s.mp4");

/** What a service has for it: two descriptions. */
export const TWO_LINES = "WEBVTT\n\n00:00.500 --> 00:01.300\nA woman sits.\n\n00:02.000 --> 00:02.900\nShe reads.\n";

/** A service that describes the film, and the command for it. */
export async function describing() {
  const { server, address, folder, out, env } = await hostedService();
  server.vtt = TWO_LINES;
  const describe = (...options: readonly string[]) =>
    asideHere([DESCRIBE.name, FILM, "--out", out, "--server", address, ...options], { ...env, XDG_DATA_HOME: folder });
  return { server, address, out, describe };
}
