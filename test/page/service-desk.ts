import type { DeskJob, DeskMedia } from "../../src/contract/page.ts";

const MEDIA: DeskMedia = {
  file_name: "harbour.mp4",
  content_type: "video/mp4",
  duration_seconds: 60,
  frame_rate: 24,
  size_bytes: 1000,
} as DeskMedia;

/** What was asked for. */
export const ORDER = {
  kind: "audio",
  track: "mixed",
  settings: { language: "de-DE", captions: "secret", script: "secret" },
};

/** The service's side of the page: what it was asked is told in order. */
export function deskOf(jobs: readonly DeskJob[] = []) {
  const asked: string[] = [];
  const state = { jobs };
  const desk = {
    jobs: async () => state.jobs,
    order: async (jobId: string): Promise<object> => {
      asked.push(`order ${jobId}`);
      return ORDER;
    },
    media: async (mediaId: string) => {
      asked.push(`media ${mediaId}`);
      return { ...MEDIA, file_name: `${mediaId}.mp4` };
    },
  };
  return { desk, asked, state };
}
