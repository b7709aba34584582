import { jmaFeed } from "./jma-feed.ts";
import { jtwcFeed } from "./jtwc-feed.ts";
import type { LiveFeed } from "./live-feed.ts";
import { nhcFeed } from "./nhc-feed.ts";

/** All feeds of storm texts. */
export const stormFeeds: readonly LiveFeed[] = [jtwcFeed, nhcFeed, jmaFeed];
