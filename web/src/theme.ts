/** Single source of colour and shape. Every text colour here passes WCAG AA on its ground. */
import {
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
  createTheme,
  defaultVariantColorsResolver,
  rem,
} from "@mantine/core";

const gold: MantineColorsTuple = [
  "#fdf8ea", "#f9eecd", "#f1dea0", "#eacb6c", "#e3b944",
  "#d8a526", "#b58214", "#91660e", "#76510c", "#583c0a",
];

const gray: MantineColorsTuple = [
  "#fbfaf8", "#f5f3f0", "#ebe8e3", "#dedad3", "#c5c0b7",
  "#9c968b", "#6b665d", "#524e47", "#35322d", "#1f1d1a",
];

const dark: MantineColorsTuple = [
  "#ebe8e3", "#c9c5bd", "#a8a297", "#79736a", "#423e38",
  "#322f2a", "#262420", "#171613", "#11100e", "#0b0a09",
];

const INK = gray[9];

/** Tints that statuses use, each as [light ground, light text, dark ground, dark text]. */
const tints: Record<string, [string, string, string, string]> = {
  gray: ["#efece7", "#4a463f", "#2c2a26", "#c9c5bd"],
  gold: ["#faf0d4", "#694809", "#382b10", "#f0d68f"],
  green: ["#e2f4e8", "#17603a", "#122e20", "#93dbb1"],
  red: ["#fce9e7", "#9c2018", "#3d1815", "#fbb0a9"],
  blue: ["#e5effb", "#1c4f8c", "#14273f", "#a5ccf7"],
  orange: ["#fdeddc", "#854008", "#3a220e", "#f8bf8a"],
};

const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const color = input.color ?? input.theme.primaryColor;
  if (input.variant === "filled" && color === "gold") {
    return { ...colors, background: gold[4], hover: gold[3], color: INK, border: "1px solid transparent" };
  }
  if (input.variant === "filled" && color === "red") {
    return { ...colors, background: "#b3261e", hover: "#98201a", color: "#ffffff" };
  }
  return colors;
};

function tintVariables(ground: 0 | 2, text: 1 | 3): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, tint] of Object.entries(tints)) {
    variables[`--mantine-color-${name}-light`] = tint[ground];
    variables[`--mantine-color-${name}-light-hover`] = tint[ground];
    variables[`--mantine-color-${name}-light-color`] = tint[text];
    variables[`--mantine-color-${name}-text`] = tint[text];
    variables[`--mantine-color-${name}-outline`] = tint[text];
  }
  return variables;
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...tintVariables(0, 1),
    "--mantine-color-body": "#ffffff",
    "--mantine-color-text": INK,
    "--mantine-color-dimmed": gray[6],
    "--mantine-color-placeholder": "#736d63",
    "--mantine-color-error": "#b3261e",
    "--mantine-color-anchor": gold[8],
    "--mantine-color-default-border": gray[3],
    "--gl-ground": gray[0],
    "--gl-line": gray[2],
    "--gl-hover": gray[1],
    "--gl-menu-hover": gray[1],
    "--gl-accent": gold[7],
    "--gl-dot": tints.blue?.[1] ?? INK,
    "--gl-focus": gold[7],
  },
  dark: {
    ...tintVariables(2, 3),
    "--mantine-color-body": "#1c1b18",
    "--mantine-color-text": dark[0],
    "--mantine-color-dimmed": dark[2],
    "--mantine-color-placeholder": "#948e83",
    "--mantine-color-error": "#ff9c93",
    "--mantine-color-anchor": gold[3],
    "--mantine-color-default": "#24221f",
    "--mantine-color-default-hover": "#2c2a26",
    "--mantine-color-default-border": "#3d3a34",
    "--gl-ground": "#141311",
    "--gl-line": "#2e2c27",
    "--gl-hover": "#24221f",
    "--gl-menu-hover": "#34312c",
    "--gl-accent": gold[4],
    "--gl-dot": tints.blue?.[3] ?? dark[0],
    "--gl-focus": gold[3],
  },
});

/** A dialog's header is no banner of the page. It goes at once: keys pressed while it fades would be nobody's. */
const dialogProps = {
  closeButtonProps: { "aria-label": "Close" },
  attributes: { header: { role: "presentation" } },
};

export const theme = createTheme({
  primaryColor: "gold",
  primaryShade: { light: 4, dark: 4 },
  colors: { gold, gray, dark },
  black: INK,
  variantColorResolver,
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, monospace",
  fontSizes: { xs: rem(12), sm: rem(13.5), md: rem(15), lg: rem(17), xl: rem(20) },
  headings: {
    fontWeight: "620",
    sizes: {
      h1: { fontSize: rem(24), lineHeight: "1.25" },
      h2: { fontSize: rem(16), lineHeight: "1.4" },
      h3: { fontSize: rem(14), lineHeight: "1.4" },
    },
  },
  defaultRadius: "md",
  radius: { xs: rem(3), sm: rem(5), md: rem(7), lg: rem(10), xl: rem(16) },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { variant: "light", radius: "sm", tt: "none", fw: 550 } },
    Button: { defaultProps: { size: "sm" } },
    Drawer: { defaultProps: { ...dialogProps, transitionProps: { duration: 200, exitDuration: 0 } } },
    Modal: {
      defaultProps: {
        ...dialogProps,
        centered: true,
        radius: "lg",
        transitionProps: { duration: 200, exitDuration: 0, transition: "fade-down" },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } },
    SegmentedControl: { defaultProps: { withItemsBorders: false, radius: "md" } },
    Menu: {
      // Inside the page's landmarks, and without a focusable element that is no menu item.
      defaultProps: { shadow: "md", radius: "md", withinPortal: false, withInitialFocusPlaceholder: false },
    },
  },
});
