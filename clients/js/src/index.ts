/** Goldloop from JavaScript and TypeScript. */
export { Background, type QueuedReaction, type QueuedTurn } from "./background.js";
export type { CallOptions, Listing, Page, WaitOptions } from "./calls.js";
export { Client, type ClientSettings } from "./client.js";
export type { BackgroundStats } from "./delivery.js";
export { type Fault, GoldloopError } from "./errors.js";
export { type Feedback, type FeedbackGrant, giveFeedback, readFeedbackToken } from "./feedback.js";
export { newId } from "./ids.js";
export type { Operations } from "./operations.gen.js";
export { type EndStatus, type ModelUse, Recording, type SessionBeginning, ToolCall } from "./recording.js";
export type { RetryPolicy } from "./retries.js";
export type * from "./types.gen.js";
