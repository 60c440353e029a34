import { Button } from "@mantine/core";
import { DownloadIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import { download } from "./download";
import { notifyProblem } from "./notify";

interface CsvButtonProps {
  /** Asks the server for the table of all that is listed. */
  fetchCsv: () => Promise<unknown>;
  name: string;
}

/** What is listed as a file for spreadsheets: what is filtered is what is in it. */
export function CsvButton({ fetchCsv, name }: CsvButtonProps) {
  const [loading, setLoading] = useState(false);
  const save = async () => {
    setLoading(true);
    try {
      download(new Blob([(await fetchCsv()) as string], { type: "text/csv;charset=utf-8" }), name);
    } catch (error) {
      notifyProblem("The table was not made", error);
    }
    setLoading(false);
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<DownloadIcon />}
      loading={loading}
      title="All that match, for spreadsheets"
      onClick={() => void save()}
    >
      CSV
    </Button>
  );
}
