import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { analyseProgramme } from "../../../src/service/analyse/analyse-programme.ts";
import { probeMedia } from "../../../src/service/ffmpeg/probe.ts";
import { type MadeStream, makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** The only shot of two seconds of a drawn picture. */
async function shotOf(graph: string, more: Partial<MadeStream> = {}) {
  const path = join(folder, "drawn.mp4");
  makeMedia(path, [{ graph, codec: "libx264", ...more }]);
  const { shots } = await analyseProgramme(path, await probeMedia(path), { folder: join(folder, "frames") });
  expect(shots).toHaveLength(1);
  return shots[0];
}

const plain = (colour: string, height: number) => `color=c=${colour}:size=160x${height}:rate=10:duration=2`;
const MEADOW = `${plain("0x2848d0", 60)}[sky];${plain("0x209020", 60)}[grass];[sky][grass]vstack`;

describe("where light and colour lie", () => {
  test("names what covers the upper and the lower third", async () => {
    expect(await shotOf(MEADOW)).toMatchObject({ above: "blue", below: "green" });
  });

  test("leaves black bars out", async () => {
    expect(await shotOf(`${MEADOW},pad=160:160:0:20`)).toMatchObject({ above: "blue", below: "green" });
  });

  test("names nothing where no one colour covers a third, nor in a picture that lies on its side", async () => {
    const mixed = `${plain("red", 40)}[a];${plain("blue", 40)}[b];${plain("white", 40)}[c];[a][b][c]vstack=inputs=3,transpose`;
    for (const shot of [await shotOf(mixed), await shotOf(MEADOW, { rotation: 90 })]) {
      expect(shot).not.toHaveProperty("above");
      expect(shot).not.toHaveProperty("below");
    }
  });

  test("tells a bright middle only where all around it is dark", async () => {
    const lamp = (ground: string) => `${plain(ground, 120)},drawbox=x=50:y=38:w=60:h=44:color=white:thickness=fill`;
    expect(await shotOf(lamp("0x101010"))).toMatchObject({ isLitInTheMiddle: true });
    expect(await shotOf(lamp("0xa0a0a0"))).not.toHaveProperty("isLitInTheMiddle");
    expect(await shotOf(plain("0x101010", 120))).not.toHaveProperty("isLitInTheMiddle");
  });
});
