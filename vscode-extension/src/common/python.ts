/** The Python extensions of this VS Code, if there are any. */
import { extensions, type Uri } from "vscode";
import { PythonExtensions } from "../core/pythonExtensions";

export function pythonExtensions(changed: () => void): PythonExtensions<Uri> {
  return new PythonExtensions<Uri>(async (id) => {
    const extension = extensions.getExtension<unknown>(id);
    return extension && (extension.isActive ? extension.exports : await extension.activate());
  }, changed);
}
