/**
 * Descriptions of the sample, as WebVTT: its scenes are drawn in `scenes.ts`, so what they show is known without looking. Text
 * on screen is told with the rest.
 */
export const SAMPLE_SCRIPT = `WEBVTT
Kind: descriptions
Language: en-US

title
00:00:00.500 --> 00:00:04.000
On a dark blue card: The Harbour.

harbour
00:00:09.000 --> 00:00:12.000
A white boat, its sail bright red.

street
00:00:22.200 --> 00:00:25.600
Night. One window is lit.

train
00:00:26.000 --> 00:00:27.700
A red train passes.

letter
00:00:31.000 --> 00:00:35.300
A letter on a table: Meet me, at noon.

end
00:00:38.000 --> 00:00:40.000
On a card: The End.
`;
