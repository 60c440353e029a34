/** The names the UI uses for what the API answers, read off the generated paths. */
import type { paths } from "./schema.gen";

type Json<R> = R extends { content: { "application/json": infer Body } } ? Body : never;
type Ok<Op> = Op extends { responses: infer R } ? Json<R[keyof R & (200 | 201)]> : never;
type Row<Op> = Ok<Op> extends { data: (infer R)[] } ? R : never;
type BodyOf<Op> = Op extends { requestBody: { content: { "application/json": infer B } } } ? B : never;

export type Session = Ok<paths["/api/session"]["get"]>;
export type SessionWorkspace = Session["workspaces"][number];
export type Workspace = Ok<paths["/api/workspace"]["get"]>;
export type Permissions = Ok<paths["/api/permissions"]["get"]>;
export type Role = Workspace["role"];
export type Member = Row<paths["/api/members"]["get"]>;
export type NewMember = BodyOf<paths["/api/members"]["post"]>;
export type MemberAdded = Ok<paths["/api/members"]["post"]>;
export type Agent = Row<paths["/api/agents"]["get"]>;
export type NewAgent = BodyOf<paths["/api/agents"]["post"]>;
export type AgentChange = BodyOf<paths["/api/agents/{agent_id}"]["patch"]>;
export type Key = Row<paths["/api/keys"]["get"]>;
export type NewKey = BodyOf<paths["/api/keys"]["post"]>;
export type KeyCreated = Ok<paths["/api/keys"]["post"]>;
export type Job = Row<paths["/api/jobs"]["get"]>;
export type JobStatus = Job["status"];
export type JobDetail = Ok<paths["/api/jobs/{job_id}"]["get"]>;
export type Mark = Row<paths["/api/marks"]["get"]>;

export type Party = Entity["created_by"];
export type EntityType = Row<paths["/api/entity-types"]["get"]>;
export type NewEntityType = BodyOf<paths["/api/entity-types"]["post"]>;
export type EntityTypeChange = BodyOf<paths["/api/entity-types/{slug}"]["patch"]>;
export type Entity = Row<paths["/api/entities"]["get"]>;
export type NewEntity = BodyOf<paths["/api/entities"]["post"]>;
export type EntityEdit = BodyOf<paths["/api/entities/{entity_id}"]["patch"]>;
export type Relation = Row<paths["/api/entities/{entity_id}/relations"]["get"]>;
export type RankedConnection = Row<paths["/api/entities/{entity_id}/relations/ranked"]["get"]>;
export type Outcome = Row<paths["/api/entities/{entity_id}/outcomes"]["get"]>;
export type ClaimSettings = Ok<paths["/api/claims/settings"]["get"]>;
export type ClaimSource = Row<paths["/api/entities/{entity_id}/sources"]["get"]>;
export type SupportedClaim = Row<paths["/api/entities/{entity_id}/claims"]["get"]>;
export type FieldChange = Row<paths["/api/entities/{entity_id}/fields/{field}/history"]["get"]>;
export type CriteriaSet = Row<paths["/api/criteria-sets"]["get"]>;
export type NewCriteriaSet = BodyOf<paths["/api/criteria-sets"]["post"]>;
export type CriteriaSetChange = BodyOf<paths["/api/criteria-sets/{set_id}"]["patch"]>;
export type Dimension = CriteriaSet["dimensions"][number];
export type EntityResponse = Row<paths["/api/entities/{entity_id}/responses"]["get"]>;
export type NewEntityResponse = BodyOf<paths["/api/entities/{entity_id}/responses"]["post"]>;
export type ResponseStatus = EntityResponse["status"];
export type ResponseAggregation = Ok<paths["/api/entities/{entity_id}/responses/aggregate"]["get"]>;
export type PromotionPreview = Ok<
  paths["/api/entities/{entity_id}/responses/{response_id}/promote/preview"]["post"]
>;
export type View = Row<paths["/api/views"]["get"]>;
export type NewView = BodyOf<paths["/api/views"]["post"]>;
export type ViewChange = BodyOf<paths["/api/views/{view_id}"]["patch"]>;
export type ViewBlock = View["blocks"][number];
export type Agreement = Row<paths["/api/criteria-sets/{set_id}/agreement"]["get"]>;
export type KnowledgeSuite = Row<paths["/api/knowledge-suites"]["get"]>;
export type KnowledgeRun = Ok<paths["/api/knowledge-runs/{run_id}"]["get"]>;
export type KnowledgeRunStatus = KnowledgeRun["status"];
export type DimensionSummary = KnowledgeRun["dimensions"][number];
export type KnowledgeResult = Row<paths["/api/knowledge-runs/{run_id}/results"]["get"]>;
export type KnowledgeGap = KnowledgeResult["gaps"][number];
export type KnowledgeLoop = Ok<paths["/api/knowledge-suites/{suite}/loop"]["get"]>;
