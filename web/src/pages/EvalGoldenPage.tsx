import { getRouteApi } from "@tanstack/react-router";
import { GoldenView } from "@/features/evals/components/GoldenView";
import { goldenTitle } from "@/features/evals/components/GoldensTable";
import { useGolden } from "@/features/evals/hooks/useGoldens";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/admin/agent-review/evals/golden/$id");

export function EvalGoldenPage() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const query = useGolden(id);
  const set = query.data?.set;
  useTitle(query.data ? goldenTitle(query.data) : "Golden", "Evals");
  return (
    <>
      <BackLink to="/admin/agent-review/evals" {...(set === undefined ? {} : { search: { set } })}>
        Goldens
      </BackLink>
      <Loaded query={query} what="the golden">
        {(golden) => (
          <GoldenView key={golden.sessionId} golden={golden} onRevoked={() => void navigate({ to: "/admin/agent-review/evals", search: { set: golden.set } })} />
        )}
      </Loaded>
    </>
  );
}
