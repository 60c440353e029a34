import { Button, Group } from "@mantine/core";
import { CopyIcon, DownloadIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { CriteriaSet, Dimension, Entity } from "@/api/types";
import type { Strategy } from "@/features/entities/lib/search";
import { copyText } from "@/ui/copy";
import { toCsv } from "@/ui/csv";
import { download, fileName } from "@/ui/download";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { svgToPng } from "@/ui/svgToPng";
import { type Standing, STRATEGY_LABEL, toTable } from "../lib/matrixView";

interface MatrixExportProps {
  entity: Pick<Entity, "title">;
  criteriaSet: Pick<CriteriaSet, "name">;
  agg: Strategy;
  /** In the order of the table. */
  ranked: readonly Standing[];
  dimensions: readonly Dimension[];
  findDrawing: () => SVGSVGElement | null;
}

/** The picture, the table or the address, to be used elsewhere. */
export function MatrixExport({ entity, criteriaSet, agg, ranked, dimensions, findDrawing }: MatrixExportProps) {
  const [isDrawing, setDrawing] = useState(false);
  const name = fileName(entity.title, criteriaSet.name, agg);
  const savePng = async () => {
    const drawing = findDrawing();
    if (!drawing) return;
    setDrawing(true);
    try {
      const title = `${entity.title} · ${criteriaSet.name} · ${STRATEGY_LABEL[agg].toLowerCase()}`;
      download(await svgToPng(drawing, title), `${name}.png`);
    } catch (error) {
      notifyProblem("The picture could not be made", error);
    } finally {
      setDrawing(false);
    }
  };
  const saveCsv = () =>
    download(new Blob([toCsv(toTable(ranked, dimensions))], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
  const copyLink = async () => {
    if (await copyText(window.location.href)) notifyDone("The link to this picture was copied.");
  };
  const look = { variant: "subtle", color: "gray", size: "compact-xs" } as const;
  return (
    <Group gap={4} justify="flex-end" mt="xs">
      <Button {...look} leftSection={<CopyIcon />} onClick={() => void copyLink()}>
        Copy link
      </Button>
      <Button {...look} leftSection={<DownloadIcon />} loading={isDrawing} onClick={() => void savePng()}>
        PNG
      </Button>
      <Button {...look} leftSection={<DownloadIcon />} onClick={saveCsv}>
        CSV
      </Button>
    </Group>
  );
}
