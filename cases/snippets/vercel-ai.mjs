import { openai } from "@ai-sdk/openai";
import { OpenTelemetry } from "@ai-sdk/otel";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { generateText, registerTelemetry } from "ai";

const sdk = new NodeSDK({ traceExporter: new OTLPTraceExporter() });
sdk.start();
const enrichSpan = ({ runtimeContext }) => ({ "session.id": runtimeContext?.sessionId, "user.id": runtimeContext?.userId });
registerTelemetry(new OpenTelemetry({ enrichSpan }));

await generateText({
  model: openai.chat("gpt-5-mini"),
  prompt: "Hello",
  runtimeContext: { sessionId: "conversation-1", userId: "user-1" },
  telemetry: { functionId: "my-agent", includeRuntimeContext: { sessionId: true, userId: true } },
});
await sdk.shutdown();
