/**
 * Test files, by their paths from the project's root, that take long and rarely break: several computers, whole films, uploads of
 * gigabytes, texts of every length, a real browser's long journeys, and the panel's bad days one by one. `npm run test:thorough` has
 * them. Where one of a file's tests takes long and the others do not, it is a `thoroughTest`.
 */
export const THOROUGH_FILES: readonly string[] = [
  "test/cli/commands/conform/conform-revoice.test.ts",
  "test/cli/commands/describe/video.test.ts",
  "test/cli/commands/revoice/edited-files.test.ts",
  "test/cli/commands/revoice/revoice-hosted.test.ts",
  "test/cli/commands/scaled-out.test.ts",
  "test/cli/service-run/embedded-log.test.ts",
  "test/engine/ffmpeg/hostile-containers.test.ts",
  "test/engine/ffmpeg/plays-in-chromium.test.ts",
  "test/engine/mix/revoiced-mix.test.ts",
  "test/engine/outgoing/local-only.test.ts",
  "test/engine/store/speech-library.test.ts",
  "test/formats/linear-time.test.ts",
  "test/formats/other-readers.test.ts",
  "test/host/uxp/large-upload.test.ts",
  "test/page/installed-models.test.ts",
  "test/page/journey.test.ts",
  "test/page/review-link.test.ts",
  "test/panel/preview/misbehaviour.test.ts",
  "test/service/conformance.test.ts",
  "test/service/fresh-records.test.ts",
  "test/service/full-disk.test.ts",
  "test/service/http/long-texts.test.ts",
  "test/service/http/settings-numbers.test.ts",
  "test/service/jobs/asked-servers.test.ts",
  "test/service/jobs/dialogue.test.ts",
  "test/service/jobs/outage.test.ts",
  "test/service/jobs/video-in-step.test.ts",
  "test/service/jobs/video.test.ts",
  "test/service/records-away.test.ts",
  "test/service/scaled-out.test.ts",
  "test/service/upgrade.test.ts",
  "test/tools/build/package.test.ts",
];
