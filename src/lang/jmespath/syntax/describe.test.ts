import { describe, expect, test } from "vitest";
import { QuerySyntaxError } from "../query-error.ts";
import { describeQuery } from "./describe.ts";

describe("an expression as a tree", () => {
  test("shows nodes, values and children", () => {
    expect(describeQuery("a[0] == 'x'")).toBe(
      [
        "ASTComparator {",
        "  value: tEQ",
        "  children: {",
        "    ASTIndexExpression {",
        "      children: {",
        "        ASTField {",
        '          value: "a"',
        "        }",
        "        ASTIndex {",
        "          value: 0",
        "        }",
        "    }",
        "    ASTLiteral {",
        '      value: "x"',
        "    }",
        "}",
        "",
      ].join("\n"),
    );
  });

  test("has a text for every kind of node", () => {
    const source = 'f(&a, `{"k":[1,null,true,"s"]}`, [1:2], l[?!b && c || d], *.x, {p: @}, [q], r[]) | s[*]';
    const described = describeQuery(source);
    expect(described).toContain(
      'value: map[string]interface {}{"k":[]interface {}{1, interface {}(nil), true, "s"}}',
    );
    expect(described).toContain("ASTSlice");
    expect(described).toContain('ASTFunctionExpression {\n      value: "f"');
  });

  test("says why there is none", () => {
    expect(describeQuery("a.")).toBeInstanceOf(QuerySyntaxError);
  });
});
