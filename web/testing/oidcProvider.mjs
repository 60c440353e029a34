// A real OpenID Connect provider on this machine, for tests: node oidcProvider.mjs REDIRECT_URI POST_LOGOUT_URI
// Whoever gives their address is signed in as that person. Prints its issuer as a line of JSON.
// Addresses that begin with "unverified" are not verified; a path of names before @ are groups: "ada+admins+staff@corp.test".
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [redirectUri, postLogoutUri] = process.argv.slice(2);
const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const groups = (email) => email.split("@")[0].split("+").slice(1);
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "goldloop",
      client_secret: "a secret + of /the tests",
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [postLogoutUri],
    },
  ],
  cookies: { keys: ["of the tests"] },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
  interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
  ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
  findAccount: (_ctx, email) => ({
    accountId: email,
    claims: () => ({
      sub: email,
      email,
      email_verified: !email.startsWith("unverified"),
      name: `${email[0].toUpperCase()}${email.split(/[+@]/)[0].slice(1)} of the provider`,
      groups: groups(email),
    }),
  }),
  loadExistingGrant: async (ctx) => {
    const { oidc } = ctx;
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});

const page = (body) => `<!doctype html><html lang="en"><title>Corp</title><main>${body}</main></html>`;

async function interact(request, response) {
  if (request.method === "GET") {
    response.setHeader("content-type", "text/html");
    response.end(
      page(
        `<h1>Corp</h1><form method="post"><label>Address <input name="email"></label><button>Continue</button></form>
         <form method="post"><button name="refuse" value="yes">Refuse</button></form>`,
      ),
    );
    return;
  }
  let body = "";
  for await (const piece of request) body += piece;
  const form = new URLSearchParams(body);
  const result = form.get("refuse")
    ? { error: "access_denied", error_description: "They said no" }
    : { login: { accountId: form.get("email") } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

server.on("request", (request, response) => {
  const handled = request.url.startsWith("/interaction/") ? interact(request, response) : provider.callback()(request, response);
  Promise.resolve(handled).catch((error) => {
    response.statusCode = 500;
    response.end(String(error));
  });
});
process.stdout.write(`${JSON.stringify({ issuer })}\n`);
