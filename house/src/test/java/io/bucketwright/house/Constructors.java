package io.bucketwright.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** How many parameters constructors have, by the compiler's own parser. */
final class Constructors extends TreePathScanner<Void, String> {

    private final Map<String, Integer> longest = new TreeMap<>();

    private Constructors() {}

    /** The most parameters of any constructor of each class; for a record also its components. */
    static Map<String, Integer> longest(Stream<SourceFile> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Constructors constructors = new Constructors();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<Path> paths = files.map(SourceFile::path).toList();
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(paths));
            for (CompilationUnitTree unit : task.parse()) {
                constructors.scan(
                        unit,
                        Objects.requireNonNull(unit.getPackageName())
                                .toString()
                                .replaceFirst("^io\\.bucketwright\\.", ""));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return constructors.longest;
    }

    @Override
    public Void visitClass(ClassTree type, String outer) {
        String name = outer + "." + type.getSimpleName();
        if (type.getKind() == Tree.Kind.RECORD) {
            add(name, (int)
                    type.getMembers().stream().filter(Constructors::isComponent).count());
        }
        return super.visitClass(type, name);
    }

    @Override
    public Void visitMethod(MethodTree method, String type) {
        if (method.getName().contentEquals("<init>")) {
            add(type, method.getParameters().size());
        }
        return super.visitMethod(method, type);
    }

    private static boolean isComponent(Tree member) {
        return member instanceof VariableTree field
                && !field.getModifiers().getFlags().contains(Modifier.STATIC);
    }

    private void add(String type, int parameters) {
        longest.merge(type, parameters, Math::max);
    }
}
