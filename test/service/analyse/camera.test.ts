import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { CameraMove } from "../../../src/core/shot.ts";
import { analyseProgramme } from "../../../src/service/analyse/analyse-programme.ts";
import { CameraPath } from "../../../src/service/analyse/camera-path.ts";
import { probeMedia } from "../../../src/service/ffmpeg/probe.ts";
import { makeMedia } from "../../made-media.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

async function movesOf(path: string): Promise<(CameraMove | undefined)[]> {
  const { shots } = await analyseProgramme(path, await probeMedia(path), { folder: join(folder, "frames") });
  return shots.map(({ camera }) => camera);
}

/** A still of a real picture, seen through a window that moves. */
async function moveOf(name: string, window: string): Promise<CameraMove | undefined> {
  const path = join(folder, `${name}.mp4`);
  const film = sharedMedia("described/rabbit/video.mp4");
  const still = `movie=${film}:seek_point=6,trim=end_frame=1,loop=loop=-1:size=1,setpts=N/25/TB,scale=1280:720,fps=25`;
  makeMedia(path, [
    {
      graph: `${still},${window},trim=duration=2.4,format=yuv420p,setsar=1`,
      codec: "libx264",
      options: { preset: "ultrafast" },
    },
  ]);
  const [move] = await movesOf(path);
  return move;
}

describe("where the view goes", () => {
  test.each([
    ["right", "crop=640:360:x='300+60*t':y=180"],
    ["left", "crop=640:360:x='500-60*t':y=180"],
    ["down", "crop=640:360:x=320:y='40+40*t'"],
    ["up", "crop=640:360:x=320:y='300-40*t'"],
    ["closer", "zoompan=z='1+0.006*on':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':d=1:s=640x360:fps=25"],
    ["away", "zoompan=z='1.5-0.006*on':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':d=1:s=640x360:fps=25"],
  ] as const)("is measured: %s", async (move, window) => {
    expect(await moveOf(move, window)).toBe(move);
  });

  test("is nowhere when the picture stands, shakes, or something moves in front of it", async () => {
    const still = "crop=640:360:x=320:y=180";
    expect(await moveOf("still", still)).toBeUndefined();
    expect(await moveOf("shake", "crop=640:360:x='320+24*sin(9*t)':y='180+16*cos(7*t)'")).toBeUndefined();
    const passing = `${still},drawbox=x='150*t':y=60:w=220:h=260:color=red:t=fill`;
    expect(await moveOf("passing", passing)).toBeUndefined();
  });

  test("is told of real films as it is: an approach, and a camera that stands", async () => {
    const battle = await movesOf(sharedMedia("no-dialogue/tears-of-steel-battle-clip-medium.webm"));
    expect(battle.filter((move) => move !== undefined)).toEqual(["closer"]);
    expect(await movesOf(sharedMedia("no-dialogue/chaplin.mp4"))).toEqual([undefined]);
    expect(await movesOf(sharedMedia("no-dialogue/one-by-one-person-detection.mp4"))).toEqual([undefined]);
  });
});

describe("a shot's way", () => {
  test("is not named when much of it moves apart, or most of it could not be measured", () => {
    const pathOf = (other: "apart" | "featureless", every: number) => {
      const path = new CameraPath();
      for (let step = 0; step < 60; step++) path.add(step % every === 0 ? other : { x: -0.05, y: 0, growth: 0 });
      return path.move();
    };
    expect(pathOf("apart", 3)).toBeUndefined();
    expect(pathOf("apart", 6)).toBe("right");
    expect(pathOf("featureless", 2)).toBe("right");
    expect(pathOf("featureless", 1)).toBeUndefined();
    expect(new CameraPath().move()).toBeUndefined();
  });

  test("is named by its greatest part", () => {
    const path = new CameraPath();
    for (let step = 0; step < 20; step++) path.add({ x: -0.02, y: 0.005, growth: 0.006 });
    expect(path.move()).toBe("right");
  });
});
