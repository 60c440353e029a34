/** Pages to the right of this feature. */
export const SESSION_PAGE: string = "/sessions/$id";
export const SESSIONS_PAGE: string = "/admin/agent-review/sessions";
