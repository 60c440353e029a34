import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { moveInTable } from "./moveInTable";

function Table() {
  return (
    <div onKeyDown={moveInTable}>
      <table>
        <tbody>
          <tr>
            <th>
              <a href="#a">a</a>
            </th>
            <td>
              <a href="#a1">a1</a>
              <a href="#a2">a2</a>
            </td>
          </tr>
          <tr>
            <th>
              <a href="#b">b</a>
            </th>
            <td>Not tried</td>
          </tr>
          <tr>
            <th>
              <a href="#c">c</a>
            </th>
            <td>
              <a href="#c1">c1</a>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

test.each([
  ["a", "ArrowRight", "a1"],
  ["a1", "ArrowRight", "a2"],
  ["a2", "ArrowRight", "a2"],
  ["a1", "ArrowLeft", "a"],
  ["a", "ArrowDown", "b"],
  ["a2", "ArrowDown", "c1"],
  ["c1", "ArrowUp", "a1"],
  ["a", "ArrowUp", "a"],
  ["a", "Enter", "a"],
])("from %s, %s leads to %s", (from, key, to) => {
  render(<Table />);
  const link = screen.getByRole("link", { name: from });
  link.focus();
  fireEvent.keyDown(link, { key });
  expect(document.activeElement?.textContent).toBe(to);
});
