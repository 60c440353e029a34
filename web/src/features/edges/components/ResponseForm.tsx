import { RecordResponseForm, type ResponseFormProps } from "@/features/responses/components/RecordResponseForm";
import { isRelationScoped } from "../lib/edgeMatrix";
import { EdgeMatrixForm } from "./EdgeMatrixForm";

/** The form of a criteria set, whether it asks about a record or about its connections. */
export function ResponseForm(props: ResponseFormProps) {
  return isRelationScoped(props.criteriaSet) ? <EdgeMatrixForm {...props} /> : <RecordResponseForm {...props} />;
}
